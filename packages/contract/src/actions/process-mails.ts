import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id } from '../fields.ts'
import { processMailContent } from '../resources/pmt.ts'
import { renderedMessage } from './content.ts'

/** The shipped text of a process and language, as the content of a new process mail. */
export const shippedProcessMail = defineAction({
  name: 'shippedProcessMail',
  area: 'content',
  paths: ['/v2/emma/client/{client_id}/pmt:shipped'],
  permission: 'EmmaPmt:get',
  query: z.object({ process: processMailContent.process, lang: processMailContent.lang }),
  response: z.object({ name: z.string(), ...processMailContent }),
})

/** Renders the content of a process mail, saved or not, with the data of a sample recipient. */
export const renderProcessMail = defineAction({
  name: 'renderProcessMail',
  area: 'content',
  method: 'POST',
  reads: true,
  largeBody: true,
  paths: ['/v2/emma/client/{client_id}/pmt:render'],
  permission: 'EmmaPmt:get',
  /** `domain_id`: of the sender, which is checked too. */
  body: z.object({ ...processMailContent, domain_id: id.nullable().optional() }),
  response: renderedMessage,
})
