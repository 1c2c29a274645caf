import { scdRule } from '@emma/contract/resources/scd-rule.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of reply rules. The engines apply changes within seconds. */
export const scdRuleOperations = resourceOperations(scdRule, { table: 'scd_rule' })
