import { guidedTour } from '@emma/contract/resources/guided-tour.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of guided tours. */
export const tourOperations = resourceOperations(guidedTour, { table: 'guided_tour', json: ['steps'] })
