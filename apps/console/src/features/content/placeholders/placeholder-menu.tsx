import { Button, Menu } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type PlaceholderLink, usePlaceholders } from './use-placeholders.ts'

interface PlaceholderMenuProps {
  /** Datasource whose columns are offered; null: those of all, grouped by datasource. */
  memberTableId: number | null
  /** Called with the text to insert, including braces. */
  onPick: (text: string) => void
  /** For fields where links are not allowed: subject and preheader. */
  withoutLinks?: boolean
  /** Links that are offered; those of campaigns by default. */
  links?: readonly PlaceholderLink[]
  /** For the text part, where links are inserted as URLs, not anchors. */
  isText?: boolean
  /** Label of the field that it inserts into, for screen readers. */
  label?: string
}

/** Menu of all placeholders to insert. */
export function PlaceholderMenu(props: PlaceholderMenuProps): ReactNode {
  const { memberTableId, onPick, withoutLinks = false, isText = false, label } = props
  const { t } = useTranslation()
  const { groups, ofModules, links } = usePlaceholders(memberTableId, props.links)
  const linkText = (link: string) =>
    isText ? `{{ link.${link} }}` : `<a href="{{ link.${link} }}">${t(`content.message.links.${link}`)}</a>`
  return (
    <Menu position="bottom-end" width={280} returnFocus={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconBraces size={13} />}
          aria-label={label ? `${t('content.message.insert')}: ${label}` : undefined}
        >
          {t('content.message.insert')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {groups.map(({ memberTableId: key, datasource, columns }) => (
          <Fragment key={key}>
            <Menu.Label>{t('content.message.insert_columns', { datasource })}</Menu.Label>
            {columns.map(({ path, label: name }) => (
              <Menu.Item key={path} onClick={() => onPick(`{{ ${path} | default: "" }}`)}>
                {name}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
        {ofModules.length > 0 && (
          <>
            <Menu.Label>{t('screens.placeholders')}</Menu.Label>
            {ofModules.map(({ path, label: name }) => (
              <Menu.Item key={path} onClick={() => onPick(`{{ ${path} }}`)}>
                {name}
              </Menu.Item>
            ))}
          </>
        )}
        {!withoutLinks && links.length > 0 && (
          <>
            <Menu.Label>{t('content.message.insert_links')}</Menu.Label>
            {links.map(link => (
              <Menu.Item key={link} onClick={() => onPick(linkText(link))}>
                {t(`content.message.links.${link}`)}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
