/** What other areas may use of this one. */
export { membertableOperations } from './datasource-operations.ts'
export { listOperations } from './list-operations.ts'
