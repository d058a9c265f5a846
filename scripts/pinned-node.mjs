/**
 * Links the Node that npm installs into node_modules/.bin, where npm scripts find it.
 *
 * Plain JavaScript for Node 20, used by the bootstrap. Two packages provide a `node`, one per architecture. npm 9 and 10
 * remove the link together with the package of the other architecture.
 */
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Links the pinned Node in `modules`, a node_modules folder, and returns whether there is one. */
export function linkPinnedNode(modules) {
  const link = join(modules, '.bin', 'node')
  if (existsSync(link)) return true
  const pinned = join(`node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (!existsSync(join(modules, pinned))) return false
  rmSync(link, { force: true }) // a dangling link
  symlinkSync(join('..', pinned), link)
  return true
}
