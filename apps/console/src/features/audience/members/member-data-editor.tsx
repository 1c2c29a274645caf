import { ActionIcon, Autocomplete, Button, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'

type MemberData = Readonly<Record<string, string | number | boolean | null>>

interface MemberDataEditorProps {
  id: string
  label: string
  value: MemberData
  onChange: (value: Record<string, string | number | boolean | null>) => void
  error: string | undefined
}

/** Editor of a test subscriber's column values, used when templates are rendered for it. */
export function MemberDataEditor({ id, label, value, onChange, error }: MemberDataEditorProps): ReactNode {
  const { t } = useTranslation()
  const { data: datasources = [] } = useDatasources()
  const columns = [
    ...new Set(
      datasources.flatMap(one =>
        one.emmamembertableschema.filter(column => !column.is_fixed).map(column => column.column_name),
      ),
    ),
  ]
  const entries = Object.entries(value)
  const put = (index: number, name: string, content: string) =>
    onChange(Object.fromEntries(entries.map((entry, place) => (place === index ? [name, content] : entry))))
  return (
    <Input.Wrapper id={id} label={label} error={error} labelElement="div">
      <Stack gap={6} mt={4}>
        {entries.map(([name, content], index) => (
          // Keyed by index: the name changes while it is typed.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} style={{ display: 'grid', gridTemplateColumns: '1fr 1fr auto', gap: 6 }}>
            <Autocomplete
              aria-label={t('audience.testaddress.column')}
              placeholder={t('audience.testaddress.column')}
              data={columns.filter(column => column === name || !(column in value))}
              value={name}
              onChange={next => put(index, next, String(content ?? ''))}
            />
            <TextInput
              aria-label={t('audience.testaddress.value_of', { name })}
              value={String(content ?? '')}
              maxLength={1000}
              onChange={event => put(index, name, event.currentTarget.value)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('audience.membertable.remove', { name })}
              onClick={() => onChange(Object.fromEntries(entries.filter((_, place) => place !== index)))}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="subtle"
          w="fit-content"
          leftSection={<IconPlus size={16} />}
          disabled={'' in value}
          onClick={() => {
            const free = columns.find(column => !(column in value)) ?? ''
            onChange({ ...value, [free]: '' })
          }}
        >
          {t('audience.testaddress.add_value')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
