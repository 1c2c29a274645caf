import type { TrackingBaseOf } from '@emma/delivery/model/campaign-snapshot.ts'
import type { Config } from './config.ts'

/**
 * Returns the base URL for the links of a domain: its own tracking host once that is verified to point here,
 * otherwise, and always for messages to the testbed, this installation's tracking URL.
 */
export function trackingBaseOf({ trackingUrl }: Pick<Config, 'trackingUrl'>): TrackingBaseOf {
  return ({ trackingHost, transport }) =>
    trackingHost === null || transport === 'testbed' ? trackingUrl : `https://${trackingHost}`
}
