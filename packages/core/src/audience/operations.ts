/** What other areas and the server use of this one. */
export { blacklistOperations } from './blacklist-operations.ts'
export { membertableOperations } from './datasource-operations.ts'
export { listOperations } from './list-operations.ts'
export { testaddressOperations, testgroupOperations } from './test-address-operations.ts'
export { datauploadOperations } from './upload/upload-operations.ts'
