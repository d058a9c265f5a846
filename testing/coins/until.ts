export { eventually as until } from '../support/receivers.ts'
