/** Ponder requires an app; no request reaches this one. */
import { Hono } from 'hono'

const app = new Hono()
export default app
