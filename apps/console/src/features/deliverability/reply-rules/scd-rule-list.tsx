import { scdRule } from '@emma/contract/resources/scd-rule.ts'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { replyRuleName } from '../../../shell/resource/reply-rule-name.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { ScdLog } from './scd-log.tsx'
import { ScdTest } from './scd-test.tsx'

/** List of reply rules, with their latest actions and a test form. */
export default function ScdRuleList(): ReactNode {
  const { t } = useTranslation()
  return (
    <ResourceList
      resource={scdRule}
      subtitle={t('deliverability.scd_rule.subtitle')}
      above={
        <Stack gap="lg" mb="lg">
          <ScdLog />
          <ScdTest />
        </Stack>
      }
      columns={[
        { id: 'name', cell: row => replyRuleName(row.name) },
        { id: 'priority', width: 130 },
        { id: 'action', width: 260 },
        { id: 'hits', width: 130 },
        'active',
      ]}
      filters={['action', 'onlyactive']}
      sort={{ field: 'priority', descending: false }}
      rowLabel={row => replyRuleName(row.name)}
    />
  )
}
