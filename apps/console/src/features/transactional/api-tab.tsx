import type { RecordOf } from '@emma/client/emma-client.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { exampleData } from '@emma/contract/transactional/data-fields.ts'
import { SourceView } from '@emma/ui/code/code-editor.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { SegmentedControl, Stack } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiHost } from '../../shell/session/api-host.ts'
import { ApiKey } from './api-key.tsx'
import { codeExample, type ExampleLanguage, exampleLanguages } from './code-examples.ts'
import { SmtpCard } from './smtp-card.tsx'
import { TestConsole } from './test-console.tsx'

/** Tab for programmers: the key, a call in their language, and a console to try it. */
export function ApiTab({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  return (
    <Stack gap="lg">
      <ApiKey record={record} />
      <Example record={record} />
      <SmtpCard record={record} />
      <TestConsole record={record} />
    </Stack>
  )
}

const names: Record<ExampleLanguage, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  php: 'PHP',
  python: 'Python',
}

function Example({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<ExampleLanguage>('curl')
  const code = useMemo(() => {
    const url = `${new URL(apiHost(), location.href).href}/transactionalcampaign/${record.id}/send`
    const body = { email: 'customer@example.com', data: exampleData(record.data_fields) }
    return codeExample(language, { url, body })
  }, [language, record])
  return (
    <Card
      title={t('transactional.example.title')}
      actions={<CopyButton value={code} label={t('transactional.example.copy')} />}
    >
      <Stack gap="sm">
        <SegmentedControl
          w="fit-content"
          size="xs"
          aria-label={t('transactional.example.language')}
          data={exampleLanguages.map(value => ({ value, label: names[value] }))}
          value={language}
          onChange={value => setLanguage(exampleLanguages.find(each => each === value) ?? 'curl')}
        />
        <SourceView label={t('transactional.example.title')} language="text" height={300} value={code} />
      </Stack>
    </Card>
  )
}
