/** The CRUD operations of this area, for other areas and the server. */
export { blacklistOperations } from './blacklists/blacklist-operations.ts'
export { membertableOperations } from './datasources/datasource-operations.ts'
export { listOperations } from './segments/list-operations.ts'
export { testaddressOperations, testgroupOperations } from './test-subscribers/test-address-operations.ts'
export { datauploadOperations } from './uploads/upload-operations.ts'
