import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { Switch, Table, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateValues } from './template-values.ts'

type Links = TemplateValues['urls']

interface LinkTableProps {
  urls: Links
  /** Whether the template tracks clicks; if not, the switches of single links have no effect. */
  isTracked: boolean
  onChange: (urls: Links) => void
}

/** Table of the template's saved links: their names in reports, and whether clicks are tracked. */
export function LinkTable({ urls, isTracked, onChange }: LinkTableProps): ReactNode {
  const { t } = useTranslation()
  if (urls.length === 0)
    return <EmptyState title={t('content.message.no_links')} text={t('content.message.no_links_text')} />
  const change = (index: number, part: Partial<Links[number]>) =>
    onChange(urls.map(link => (link.link_index === index ? { ...link, ...part } : link)))
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="xs" mt="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('content.message.link_name')}</Table.Th>
            <Table.Th>{t('content.message.link_url')}</Table.Th>
            <Table.Th>{t('content.message.link_counted')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {urls.map(link => (
            <Table.Tr key={link.link_index}>
              <Table.Td>
                <TextInput
                  size="xs"
                  aria-label={`${t('content.message.link_name')}: ${link.url}`}
                  value={link.name}
                  maxLength={255}
                  onChange={event => change(link.link_index, { name: event.currentTarget.value })}
                />
              </Table.Td>
              <Table.Td>
                <Text size="sm" lineClamp={1} title={link.url}>
                  {link.url}
                </Text>
              </Table.Td>
              <Table.Td>
                <Switch
                  size="sm"
                  aria-label={`${t('content.message.link_counted')}: ${link.name}`}
                  disabled={!isTracked}
                  checked={isTracked && link.is_active}
                  onChange={event => change(link.link_index, { is_active: event.currentTarget.checked })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
