/** The web app's files, from the `web` workspace. */
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const FILES = join(import.meta.dirname, '..', '..', '..', 'web', 'public')

export function webRoutes() {
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(fastifyStatic, { root: FILES, wildcard: false, index: 'index.html', maxAge: '5m' })
  }
}
