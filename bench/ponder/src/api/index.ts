/** Ponder asks for an app; nothing asks this one. */
import { Hono } from 'hono'

const app = new Hono()
export default app
