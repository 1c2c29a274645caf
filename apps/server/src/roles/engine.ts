import { readSegment, segmentMembers } from '@emma/core/audience/segments/segment-members.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import { startEngine } from '@emma/delivery/engine/engine.ts'
import { dnsResolver } from '../dns-resolver.ts'
import { openFileStorage } from '../files/open-file-storage.ts'
import { feedFetcher } from '../content/feeds/fetch-feed.ts'
import { PERSONAL_DATA_LIMITS } from '../network/limits.ts'
import { heloName } from '../helo-name.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { outgoing } from '../outgoing.ts'
import type { RoleContext, RunningRole } from '../role.ts'
import { trackingBaseOf } from '../tracking-base.ts'

/** Starts an engine with the functions of the audience area and this installation's keys. */
export async function start({ config, db, pool, logger }: RoleContext): Promise<RunningRole> {
  const secrets = config.deriveKey('secrets at rest')
  const dns = dnsResolver(config)
  return startEngine({
    db,
    pool,
    logger,
    async segmentOf(tx, { clientId, listId, use, at }) {
      const scope = { clientIds: [clientId] }
      const segment = await readSegment(tx, scope, listId)
      // Excluded segments include unsubscribed members.
      const include = use === 'exclude' || segment.include_unsubscribed
      const members = await segmentMembers(tx, scope, { ...segment, include_unsubscribed: include }, { at })
      return { memberTableId: segment.member_table_id, members }
    },
    trackingBaseOf: trackingBaseOf(config),
    tokenKey: mailTokenKey(config),
    openSecret: sealed => openSecret(secrets, sealed),
    testbed: { host: '127.0.0.1', port: config.testbedSmtpPort },
    helo: heloName(),
    outgoing: outgoing(config),
    files: openFileStorage(config),
    fetchFeed: feedFetcher(secrets),
    fetchPersonal: feedFetcher(secrets, 'public', PERSONAL_DATA_LIMITS),
    async resolveMx(domain) {
      const records = (await dns.resolve(domain, 'MX')).map(record => {
        const [preference = '', host = ''] = record.split(' ')
        return { preference: Number(preference), host }
      })
      return records
        .toSorted((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1))
        .map(({ host }) => host)
    },
  })
}
