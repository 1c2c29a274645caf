import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import type { SingleSender } from '@emma/delivery/send-test.ts'
import { openFileStorage } from '../files/open-file-storage.ts'
import { heloName } from '../helo-name.ts'
import type { Http } from '../http/http.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { outgoing } from '../outgoing.ts'
import { trackingBaseOf } from '../tracking-base.ts'

/** What tests and placement checks are sent with. With `previews`, their messages are compiled in its threads. */
export function singleSender({
  config,
  db,
  previews,
}: Pick<Http, 'config' | 'db'> & Partial<Pick<Http, 'previews'>>): SingleSender {
  const secrets = config.deriveKey('secrets at rest')
  return {
    db,
    tokenKey: mailTokenKey(config),
    openSecret: sealed => openSecret(secrets, sealed),
    trackingBaseOf: trackingBaseOf(config),
    testbed: { host: '127.0.0.1', port: config.testbedSmtpPort },
    helo: heloName(),
    outgoing: outgoing(config),
    files: openFileStorage(config),
    assemble: previews?.assemble,
  }
}
