import { beepluginRow } from '@emma/contract/resources/beeplugin-row.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of the rows of Beefree's editor (R264). */
export const beepluginRowOperations: Operations<typeof beepluginRow> = resourceOperations(beepluginRow, {
  table: 'beeplugin_row',
  json: ['row_json'],
})
