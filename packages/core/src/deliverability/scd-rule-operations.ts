import { scdRule } from '@emma/contract/resources/scd-rule.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** Rules over replies. The engines take changes over within seconds. */
export const scdRuleOperations = resourceOperations(scdRule, { table: 'scd_rule' })
