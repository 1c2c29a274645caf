import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { email, id } from '../fields.ts'
import { processMailContent } from '../resources/pmt.ts'
import { renderedForEditor, testMessage } from './content.ts'

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
  body: z.object({
    ...processMailContent,
    domain_id: id.nullable().optional(),
    with_canvas: z.boolean().optional(),
  }),
  response: renderedForEditor,
})

/** Sends the content of a process mail, saved or not, to test addresses, with the sender of process mails. */
export const testProcessMail = defineAction({
  name: 'testProcessMail',
  area: 'content',
  method: 'POST',
  largeBody: true,
  paths: ['/v2/emma/client/{client_id}/pmt:test'],
  permission: 'EmmaTestCampaign:post',
  body: z.object({
    ...processMailContent,
    domain_id: id.nullable().optional(),
    emails: z.array(email).max(50).default([]),
    test_group_id: id.nullish(),
  }),
  response: testMessage.response,
})
