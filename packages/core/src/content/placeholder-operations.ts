import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

export const placeholderOperations = resourceOperations(placeholder, { table: 'placeholder', json: ['body'] })
