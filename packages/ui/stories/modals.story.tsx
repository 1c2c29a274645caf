import { Button, Group, Portal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type ConfirmOptions, confirm } from '../src/feedback/confirm.tsx'
import { Dialog } from '../src/feedback/dialog.tsx'
import { notify } from '../src/feedback/notify.tsx'
import { snowId } from '../src/feedback/season-snow.tsx'
import { Snow } from '../src/feedback/snow.tsx'
import { DetailsDrawer } from '../src/layout/details-drawer.tsx'
import { KeyValue } from '../src/layout/key-value.tsx'
import type { Story } from './story.ts'

const ask = async (options: ConfirmOptions) => void notify.info((await confirm(options)) ? 'Yes' : 'No')

function Questions(): ReactNode {
  return (
    <Group gap="xs">
      <Button
        variant="default"
        onClick={() => void ask({ title: 'Send now?', text: 'To 248,120 people.', confirmLabel: 'Send' })}
      >
        Ask
      </Button>
      <Button
        variant="default"
        onClick={() =>
          void ask({
            title: 'Delete the datasource?',
            text: 'All 12,031 members and their history go with it. This cannot be undone.',
            typed: 'Newsletter',
            confirmLabel: 'Delete',
            danger: true,
          })
        }
      >
        Ask for a word
      </Button>
    </Group>
  )
}

function Dialogs({ isStatic = false }: { isStatic?: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {isStatic ? 'Open; a click beside it nudges' : 'Open'}
      </Button>
      <Dialog title="Rename" isOpen={isOpen} onClose={() => setOpen(false)} isStatic={isStatic}>
        <TextInput label="Name" data-autofocus defaultValue="Autumn newsletter" />
        <Group justify="flex-end" mt="md">
          <Button
            variant="default"
            onClick={() => void confirm({ title: 'Really?', text: 'A question above the modal.' })}
          >
            Ask above it
          </Button>
          <Button onClick={() => setOpen(false)}>Save</Button>
        </Group>
      </Dialog>
    </>
  )
}

function Drawer(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open drawer
      </Button>
      <DetailsDrawer title="maria@example.com" isOpen={isOpen} onClose={() => setOpen(false)}>
        <KeyValue entries={[{ label: 'State', value: 'Active' }]} />
      </DetailsDrawer>
    </>
  )
}

/** Snow regardless of the season. */
function Snowing(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Let it snow
      </Button>
      <Dialog title="Season’s greetings" isOpen={isOpen} onClose={() => setOpen(false)}>
        From 1 December to 6 January, for people who like things to move.
        <Portal target={`#${snowId}`}>
          <Snow />
        </Portal>
      </Dialog>
    </>
  )
}

export const stories: readonly Story[] = [
  { title: 'Questions', render: () => <Questions /> },
  { title: 'A modal', render: () => <Dialogs /> },
  { title: 'A modal that stays', render: () => <Dialogs isStatic /> },
  { title: 'A drawer', render: () => <Drawer /> },
  { title: 'A modal in the snow', render: () => <Snowing /> },
]
