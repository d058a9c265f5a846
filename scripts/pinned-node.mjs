/**
 * The Node that npm brings, where npm's scripts look for it.
 *
 * Plain JavaScript for Node 20, called by the bootstrap. Two packages bring a `node`, each for one kind of machine. npm 9
 * and 10, which come with Debian and with Node 20, take the link away again with the package that is not for this one.
 */
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Whether `node` in `modules` (a node_modules folder) is the pinned one. */
export function linkPinnedNode(modules) {
  const link = join(modules, '.bin', 'node')
  if (existsSync(link)) return true
  const brought = join(`node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (!existsSync(join(modules, brought))) return false
  rmSync(link, { force: true }) // one that leads nowhere
  symlinkSync(join('..', brought), link)
  return true
}
