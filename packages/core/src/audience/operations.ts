/** What other areas and the server use of this one. */
export { blacklistOperations } from './blacklists/blacklist-operations.ts'
export { membertableOperations } from './datasources/datasource-operations.ts'
export { listOperations } from './segments/list-operations.ts'
export { testaddressOperations, testgroupOperations } from './test-subscribers/test-address-operations.ts'
export { datauploadOperations } from './uploads/upload-operations.ts'
