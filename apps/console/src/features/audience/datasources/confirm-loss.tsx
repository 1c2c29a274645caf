import { ApiError } from '@emma/client/api-error.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { List, Stack, Text } from '@mantine/core'
import type { TFunction } from 'i18next'

const FIELD = 'removed_columns.'

interface Loss {
  name: string
  count: number
}

/** The columns that a rejected save would have removed with their values; none for other errors. */
function lossesOf(error: unknown): Loss[] {
  if (!(error instanceof ApiError)) return []
  return error.fields
    .filter(({ field }) => field.startsWith(FIELD))
    .map(({ field, message }) => ({ name: field.slice(FIELD.length), count: Number.parseInt(message) }))
}

/**
 * After a rejected save: asks whether the values of removed columns may be deleted.
 *
 * @returns the names of the columns to remove
 * @throws ApiError of the field `emmamembertableschema` if the user declines; any other error unchanged
 */
export async function confirmLoss(
  error: unknown,
  columns: readonly MemberColumn[],
  t: TFunction,
): Promise<string[]> {
  const losses = lossesOf(error)
  if (!(error instanceof ApiError) || losses.length === 0) throw error
  const labelOf = (name: string) => columns.find(column => column.column_name === name)?.label ?? name
  const isSure = await confirm({
    title: t('audience.membertable.loss.title'),
    text: (
      <Stack gap="xs">
        <List>
          {losses.map(({ name, count }) => (
            <List.Item key={name}>
              {t('audience.membertable.loss.column', { name: labelOf(name), count })}
            </List.Item>
          ))}
        </List>
        <Text>{t('audience.membertable.loss.text')}</Text>
      </Stack>
    ),
    confirmLabel: t('audience.membertable.loss.confirm'),
    danger: true,
  })
  if (isSure) return losses.map(({ name }) => name)
  const { status, code, url, body } = error
  const message = t('audience.membertable.loss.kept')
  const fields = [{ field: 'emmamembertableschema', message }]
  throw new ApiError(message, { status, code, url, body, fields })
}
