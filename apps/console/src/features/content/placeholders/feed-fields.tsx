import type { RecordOf } from '@emma/client/emma-client.ts'
import { testFeed } from '@emma/contract/actions/content.ts'
import { maxFeedItems, type placeholder } from '@emma/contract/resources/placeholder.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core'
import { IconRss } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'

type Values = Pick<RecordOf<typeof placeholder>, 'feed_url' | 'feed_max' | 'feed_only_new' | 'feed_if_empty'>

interface FeedFieldsProps<V extends Values> {
  form: RecordForm<V>
  moduleId: number | null
}

/** Address and choice of items of a feed, with a test that shows what it has now. */
export function FeedFields({ form, moduleId }: FeedFieldsProps<Values>): ReactNode {
  const { t } = useTranslation()
  const mayTest = usePermission({ all: ['EmmaPlaceholder:patch'] })
  return (
    <FormSection title={t('content.placeholder.types.feed')} description={t('content.placeholder.feed.text')}>
      <TextField form={form} name="feed_url" description={t('content.placeholder.feed.url_hint')} />
      <FormRow>
        <NumberField form={form} name="feed_max" decimals={0} min={1} max={maxFeedItems} />
        <ChoiceField
          form={form}
          name="feed_if_empty"
          choices={[
            { value: 'send', label: t('content.placeholder.feed.send') },
            { value: 'skip', label: t('content.placeholder.feed.skip') },
          ]}
        />
      </FormRow>
      <SwitchField form={form} name="feed_only_new" description={t('content.placeholder.feed.new_hint')} />
      {mayTest && <FeedTest url={form.values.feed_url?.trim() ?? ''} moduleId={moduleId} />}
    </FormSection>
  )
}

function FeedTest({ url, moduleId }: { url: string; moduleId: number | null }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const client_id = useClientId()
  const test = useMutation({
    mutationFn: () =>
      api.call(testFeed, { params: { client_id }, body: { feed_url: url, module_id: moduleId } }),
  })
  const items = test.data?.items
  return (
    <Stack gap="sm" aria-live="polite">
      <Button
        w="fit-content"
        variant="default"
        leftSection={<IconRss size={16} />}
        disabled={url === ''}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('content.placeholder.feed.test')}
      </Button>
      {test.error && <Alert color="red">{errorText(test.error)}</Alert>}
      {items && <Text size="sm">{t('content.placeholder.feed.found', { count: items.length })}</Text>}
      {items && items.length > 0 && (
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
      )}
    </Stack>
  )
}
