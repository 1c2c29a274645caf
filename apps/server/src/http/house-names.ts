import type { HouseNames } from '@emma/core/deliverability/domain-records.ts'
import type { Config } from '../config.ts'

/** Host names of this installation, for the DNS records of its clients' domains. */
export function houseNames(config: Config): HouseNames {
  return {
    mailHost: `mail.${new URL(config.publicUrl).hostname}`,
    trackingHost: new URL(config.trackingUrl).hostname,
  }
}
