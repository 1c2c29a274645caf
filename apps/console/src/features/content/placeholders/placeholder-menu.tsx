import { Button, Menu } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { placeholderLinks, usePlaceholders } from './use-placeholders.ts'

interface PlaceholderMenuProps {
  /** The datasource whose columns are offered; null: all, each under its datasource. */
  memberTableId: number | null
  /** Takes the text to put in, braces included. */
  onPick: (text: string) => void
  /** Where links make no sense: subject and preheader. */
  withoutLinks?: boolean
  /** In a text part links are addresses, not anchors. */
  isText?: boolean
  /** Of what it puts into, for screen readers. */
  label?: string
}

/** Everything that may stand between braces, to pick from. */
export function PlaceholderMenu(props: PlaceholderMenuProps): ReactNode {
  const { memberTableId, onPick, withoutLinks = false, isText = false, label } = props
  const { t } = useTranslation()
  const { groups, ofModules } = usePlaceholders(memberTableId)
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
        {!withoutLinks && (
          <>
            <Menu.Label>{t('content.message.insert_links')}</Menu.Label>
            {placeholderLinks.map(link => (
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
