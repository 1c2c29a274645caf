import { Button, Group } from '@mantine/core'
import { notify } from '../src/feedback/notify.tsx'
import type { Story } from './story.ts'

const button = (label: string, onClick: () => void) => (
  <Button variant="default" onClick={onClick}>
    {label}
  </Button>
)

export const stories: readonly Story[] = [
  {
    title: 'Gone after five seconds',
    render: () => (
      <Group gap="xs">
        {button('Success', () => void notify.success('Saved'))}
        {button('Info', () => void notify.info('The import has begun'))}
        {button(
          'With undo',
          () =>
            void notify.success('“Autumn” deleted', {
              action: { label: 'Undo', run: () => void notify.success('Restored') },
            }),
        )}
      </Group>
    ),
  },
  {
    title: 'Stay until they are closed',
    render: () => (
      <Group gap="xs">
        {button('Warning', () => void notify.warning('You are offline', { title: 'No connection' }))}
        {button(
          'Danger',
          () =>
            void notify.danger('A record with the name “Autumn” exists already.', {
              title: 'That did not work',
            }),
        )}
        {button('Permanent', () => void notify.info('Exporting 500 of 10,000', { permanent: true }))}
        {button('Close all', () => notify.closeAll())}
      </Group>
    ),
  },
]
