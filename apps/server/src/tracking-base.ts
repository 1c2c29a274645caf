import type { TrackingBaseOf } from '@emma/delivery/model/campaign-snapshot.ts'
import type { Config } from './config.ts'

/**
 * Where the links of a domain's mails lead: to its own tracking host once that is known to point here, else, and always
 * for mail to the testbed, to this installation's tracking address, which works as it stands.
 */
export function trackingBaseOf({ trackingUrl }: Pick<Config, 'trackingUrl'>): TrackingBaseOf {
  return ({ trackingHost, transport }) =>
    trackingHost === null || transport === 'testbed' ? trackingUrl : `https://${trackingHost}`
}
