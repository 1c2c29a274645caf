import type { TestCampaign } from '@emma/contract/actions/test-campaigns.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { variantLetter } from '@emma/contract/split.ts'
import { addTest, discardTest, recordResults } from '@emma/core/campaigns/test-history.ts'
import { readTestRecipients, readTestSettings, type TestRequest } from '@emma/core/campaigns/test-settings.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import { CampaignFault } from '@emma/delivery/model/campaign-snapshot.ts'
import { draftProcessMail, type ProcessMailUse } from '@emma/delivery/model/process-snapshot.ts'
import { sendTest, sendTestOf } from '@emma/delivery/send-test.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import type { Http } from '../http/http.ts'
import { singleSender } from './single-sender.ts'

export interface TestResult {
  email: string
  outcome: string
  reply: string
}

/**
 * Sends a test message to the given addresses and those of the test group, with the settings of its campaign or, for
 * a template, over the client's first verified domain and mail class. Stores it in the test history.
 * @throws EmmaError `invalid` if there is no recipient, domain or mail class, if the sender fails the checks of campaigns,
 * or if the content cannot be sent
 */
export async function sendTestMessage(
  http: Http,
  actor: Actor,
  clientId: number,
  request: TestRequest,
): Promise<TestCampaign> {
  const { db } = http
  const recipients = await readTestRecipients(db, clientId, request)
  if (recipients.length === 0) throw invalid([fieldError('emails', 'field.recipients')])
  const settings = await readTestSettings(db, clientId, request)
  const { message_id, campagne_id = null, subject_prefix } = request
  const emails = recipients.map(({ email }) => email)
  const testId = await addTest(db, actor, clientId, { campagne_id, message_id, subject_prefix, emails })
  try {
    const results = await withFaults(async () => {
      const ofVariants: TestResult[][] = []
      for (const [index, variant] of settings.variants.entries()) {
        const letter = settings.variants.length > 1 ? `[${variantLetter(index)}] ` : ''
        const prefix = `${subject_prefix}${letter}`
        const recorded = { testId, variant: index }
        ofVariants.push(
          await sendTest(singleSender(http), { ...settings, ...variant, recipients, prefix, recorded }),
        )
      }
      return firstFaults(ofVariants)
    })
    return await recordResults(db, clientId, testId, results)
  } catch (error) {
    await discardTest(db, clientId, testId)
    throw error
  }
}

/** Results by recipient: the first failure of the variants. */
function firstFaults([first = [], ...others]: readonly (readonly TestResult[])[]): TestResult[] {
  return first.map((result, index) => {
    const failed = others.flatMap(each => each[index] ?? []).find(({ outcome }) => outcome !== 'sent')
    return result.outcome === 'sent' && failed ? failed : result
  })
}

/**
 * Sends the content of a process mail to the given addresses and those of the test group, with the sender of the
 * client's process mails. Throws like `sendTestMessage`.
 */
export async function sendTestProcessMail(
  http: Http,
  clientId: number,
  { process, content, targets }: Pick<ProcessMailUse, 'process' | 'content'> & { targets: TestTargets },
): Promise<TestResult[]> {
  const { db } = http
  const prefix = '[TEST] '
  const request = { ...targets, message_id: 0, member_id: 0, subject_prefix: prefix }
  const recipients = await readTestRecipients(db, clientId, request)
  if (recipients.length === 0) return []
  const sender = singleSender(http)
  return withFaults(async () => {
    const use = { clientId, memberTableId: null, process, name: 'Test', content }
    const snapshot = await draftProcessMail(db, use, sender.trackingBaseOf)
    const mailclassId = snapshot.mailclass.id
    return sendTestOf(sender, snapshot, {
      clientId,
      campaign: null,
      mailclassId,
      espId: null,
      recipients,
      prefix,
    })
  })
}

type TestTargets = Pick<TestRequest, 'emails' | 'test_group_id'>

async function withFaults(send: () => Promise<TestResult[]>): Promise<TestResult[]> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof CampaignFault || error instanceof HeaderError)
      throw new EmmaError('invalid', error.fault)
    throw error
  }
}
