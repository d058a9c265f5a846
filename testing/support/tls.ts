import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'fixtures', 'tls')

/** The authority, certificate and key of the servers that tests start, for 127.0.0.1 and localhost. */
export const CA_CERTIFICATE = join(folder, 'ca.pem')
export const SERVER_CERTIFICATE = join(folder, 'server.pem')
export const SERVER_KEY = join(folder, 'server.key')
