import type { RuleGroup } from '@emma/contract/rules.ts'
import { describeQuery } from '@emma/ui/rules/describe-query.ts'
import { useFormat, useTranslate } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './segment.module.css'
import { useRuleFields } from './use-rule-fields.ts'
import type { Datasource } from '../members/use-member-table.ts'

interface SegmentSentenceProps {
  segment: { query: RuleGroup | null }
  datasource: Datasource | undefined
}

/** A segment's rules as one line of text. */
export function SegmentSentence({ segment, datasource }: SegmentSentenceProps): ReactNode {
  const { t } = useTranslation()
  const tKit = useTranslate()
  const format = useFormat()
  const fields = useRuleFields(datasource)
  if (segment.query === null) return <span className={classes.sentence}>{t('audience.list.everyone')}</span>
  if (!datasource) return null
  const sentence = describeQuery(segment.query, { fields, t: tKit, format })
  return (
    <span className={classes.sentence} title={sentence}>
      {sentence}
    </span>
  )
}
