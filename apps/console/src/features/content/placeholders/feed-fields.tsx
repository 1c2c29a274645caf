import type { RecordOf } from '@emma/client/emma-client.ts'
import { maxFeedItems, type placeholder } from '@emma/contract/resources/placeholder.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { PasswordField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermission } from '../../../shell/session/use-session.ts'
import { FeedTest } from './feed-test.tsx'

type Placeholder = RecordOf<typeof placeholder>
type Values = Pick<
  Placeholder,
  | 'token'
  | 'type'
  | 'feed_url'
  | 'feed_header'
  | 'feed_secret'
  | 'feed_scope'
  | 'feed_max'
  | 'feed_only_new'
  | 'feed_if_empty'
>

interface FeedFieldsProps<V extends Values> {
  form: RecordForm<V>
  record: Placeholder | null
}

/** Address and choice of items of a feed, or the address of data, with a test that shows what arrives now. */
export function FeedFields({ form, record }: FeedFieldsProps<Values>): ReactNode {
  const { t } = useTranslation()
  const { type, token } = form.values
  const kind = type === 'data' ? 'data' : 'feed'
  const mayTest = usePermission({ all: ['EmmaPlaceholder:patch'] })
  return (
    <FormSection
      title={t(`content.placeholder.types.${kind}`)}
      description={t(`content.placeholder.${kind}.text`)}
    >
      {kind === 'data' && (
        <Text size="sm">
          {t('content.placeholder.data.use')} <Code>{`{{ data.${token || 'TOKEN'}.price }}`}</Code>
        </Text>
      )}
      <TextField form={form} name="feed_url" description={t(`content.placeholder.${kind}.url_hint`)} />
      {kind === 'data' && (
        <ChoiceField
          form={form}
          name="feed_scope"
          look="segments"
          choices={[
            { value: 'campaign', label: t('content.placeholder.data.once') },
            { value: 'member', label: t('content.placeholder.data.each') },
          ]}
        />
      )}
      {kind === 'data' && form.values.feed_scope === 'member' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('content.placeholder.data.each_hint')}{' '}
          <Code>{'https://shop.example/offers?customer={{ member.member_id }}'}</Code>
        </Text>
      )}
      <FormRow>
        <TextField
          form={form}
          name="feed_header"
          description={t('content.placeholder.feed.header_hint')}
          isMonospaced
        />
        <PasswordField
          form={form}
          name="feed_secret"
          description={t('content.placeholder.feed.secret_hint')}
          placeholder={record?.feed_secret_set ? t('content.placeholder.feed.secret_kept') : ''}
        />
      </FormRow>
      <FormRow>
        {kind === 'feed' && (
          <NumberField form={form} name="feed_max" decimals={0} min={1} max={maxFeedItems} />
        )}
        <ChoiceField
          form={form}
          name="feed_if_empty"
          choices={[
            { value: 'send', label: t('content.placeholder.feed.send') },
            { value: 'skip', label: t('content.placeholder.feed.skip') },
          ]}
        />
      </FormRow>
      {kind === 'feed' && (
        <SwitchField form={form} name="feed_only_new" description={t('content.placeholder.feed.new_hint')} />
      )}
      {mayTest && <FeedTest values={form.values} moduleId={record?.module_id ?? null} />}
    </FormSection>
  )
}
