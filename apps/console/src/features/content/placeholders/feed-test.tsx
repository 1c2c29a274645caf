import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { renderUnsaved, testFeed } from '@emma/contract/actions/content.ts'
import type { placeholder } from '@emma/contract/resources/placeholder.ts'
import { addressColumns } from '@emma/mail/template/personal-address.ts'
import { SourceView } from '@emma/ui/code/code-editor.tsx'
import { fieldErrorsOf } from '@emma/ui/form/server-error.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Anchor, Button, List, Stack, Text, TextInput } from '@mantine/core'
import { IconBraces, IconRss } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'

type Values = Pick<
  RecordOf<typeof placeholder>,
  'type' | 'feed_url' | 'feed_header' | 'feed_secret' | 'feed_scope'
>

interface FeedTestProps {
  /** Possibly unsaved. */
  values: Values
  /** Saved placeholder, which keeps the copy for previews. */
  moduleId: number | null
}

/** Button that fetches a feed or data, with what arrived: size, duration, and the items or the JSON. */
export function FeedTest({ values, moduleId }: FeedTestProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const client_id = useClientId()
  const queries = useQueryClient()
  const type = values.type === 'data' ? 'data' : 'feed'
  const feed_url = values.feed_url?.trim() ?? ''
  const isPersonal = type === 'data' && values.feed_scope === 'member'
  const columns = isPersonal ? [...new Set(addressColumns(feed_url) ?? [])] : []
  const [given, setGiven] = useState<Record<string, string>>({})
  const test = useMutation({
    mutationFn: () =>
      api.call(testFeed, {
        params: { client_id },
        body: {
          type,
          feed_url,
          feed_header: values.feed_header || null,
          feed_secret: values.feed_secret || null,
          module_id: moduleId,
          ...(isPersonal && { values: given }),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.action(renderUnsaved).slice(0, 2) }),
  })
  const arrived = test.data
  return (
    <Stack gap="sm" aria-live="polite">
      {columns.map(column => (
        <TextInput
          key={column}
          label={t('content.placeholder.data.test_value', { column })}
          value={given[column] ?? ''}
          onChange={event => setGiven({ ...given, [column]: event.currentTarget.value })}
        />
      ))}
      <Button
        w="fit-content"
        variant="default"
        leftSection={type === 'data' ? <IconBraces size={16} /> : <IconRss size={16} />}
        disabled={feed_url === ''}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t(`content.placeholder.${type}.test`)}
      </Button>
      {test.error && <Alert color="red">{textOfError(test.error)}</Alert>}
      {arrived && (
        <Text size="sm">
          {arrived.json === null && (
            <>{t('content.placeholder.feed.found', { count: arrived.items.length })} · </>
          )}
          {format.bytes(arrived.bytes)} · {format.number(arrived.milliseconds)} ms
        </Text>
      )}
      {arrived?.json != null && (
        <SourceView
          label={t('content.placeholder.data.json')}
          language="json"
          height={280}
          value={arrived.json}
        />
      )}
      {arrived && arrived.items.length > 0 && <Items items={arrived.items} />}
    </Stack>
  )
}

/** The faults of the address and the header in words; the field is the one that was tested. */
function textOfError(error: unknown): string {
  const faults = fieldErrorsOf(error)
  return faults.length > 0 ? faults.map(textOfFault).join(' ') : errorText(error)
}

interface Item {
  title: string
  link: string
  date: string
}

function Items({ items }: { items: readonly Item[] }): ReactNode {
  const format = useFormat()
  return (
    <List spacing={4} listStyleType="none" withPadding={false} mah={320} style={{ overflowY: 'auto' }}>
      {items.map(({ title, link, date }, at) => (
        <List.Item key={at} style={{ overflowWrap: 'anywhere' }}>
          {link ? (
            <Anchor href={link} target="_blank" rel="noreferrer">
              {title || link}
            </Anchor>
          ) : (
            title
          )}{' '}
          <Text component="span" c="dimmed" size="sm">
            {date && format.date(date)}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}
