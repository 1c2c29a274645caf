import { EmmaError } from '@emma/contract/errors.ts'
import { readTestRecipients, readTestSettings, type TestRequest } from '@emma/core/campaigns/test-settings.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import { CampaignFault } from '@emma/delivery/model/campaign-snapshot.ts'
import { sendTest } from '@emma/delivery/send-test.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { heloName } from '../helo-name.ts'
import type { Http } from '../http/http.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { outgoing } from '../outgoing.ts'
import { trackingBaseOf } from '../tracking-base.ts'

export interface TestResult {
  email: string
  outcome: string
  reply: string
}

/**
 * Sends a test message to the given addresses and those of the test group, with the settings of its campaign or, for
 * a template, over the client's first verified domain and mail class.
 * @throws EmmaError `invalid` if there is no domain or mail class, if the sender fails the checks of campaigns, or if
 * the content cannot be sent
 */
export async function sendTestMessage(
  http: Http,
  clientId: number,
  request: TestRequest,
): Promise<TestResult[]> {
  const { config, db } = http
  const recipients = await readTestRecipients(db, clientId, request)
  if (recipients.length === 0) return []
  const secrets = config.deriveKey('secrets at rest')
  const context = {
    db,
    tokenKey: mailTokenKey(config),
    openSecret: (sealed: Buffer) => openSecret(secrets, sealed),
    trackingBaseOf: trackingBaseOf(config),
    testbed: { host: '127.0.0.1', port: config.testbedSmtpPort },
    helo: heloName(),
    outgoing: outgoing(config),
  }
  const settings = await readTestSettings(db, clientId, request)
  try {
    return await sendTest(context, { ...settings, recipients, prefix: request.subject_prefix })
  } catch (error) {
    if (error instanceof CampaignFault || error instanceof HeaderError)
      throw new EmmaError('invalid', error.fault)
    throw error
  }
}
