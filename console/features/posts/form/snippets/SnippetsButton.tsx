import { Button } from '@mantine/core'
import { TextQuote } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../../ui/dialog/Dialog'
import { insertAtCaret } from '../../../../ui/text/insert-at-caret'
import type { Snippet } from './queries'
import { SnippetForm } from './SnippetForm'
import { SnippetList } from './SnippetList'

type Props = {
  /** Id of the text area that a snippet is inserted into. */
  field: string
  /** The text of the post, which can become a snippet. */
  text: string
}

/** `list`: all snippets; otherwise the one that is written, with its first values. */
type View = 'list' | { snippet?: Snippet; content: string }

/** Inserts snippets into a text, and keeps them. */
export function SnippetsButton({ field, text }: Props) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const [view, setView] = useState<View>('list')
  const [inserted, setInserted] = useState(false)
  const area = () => {
    const node = document.getElementById(field)
    return node instanceof HTMLTextAreaElement ? node : undefined
  }
  const insert = ({ content }: Snippet) => {
    const node = area()
    if (node) insertAtCaret(node, content)
    setInserted(true)
    setOpened(false)
  }
  return (
    <>
      <Button
        variant="subtle"
        size="compact-md"
        leftSection={<TextQuote size={16} />}
        onClick={() => {
          setView('list')
          setInserted(false)
          setOpened(true)
        }}
      >
        {t('snippets.button')}
      </Button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={
          view !== 'list' && view.snippet
            ? t('snippets.edit_name', { name: view.snippet.name })
            : t(view === 'list' ? 'snippets.title' : 'snippets.new')
        }
        size="lg"
        returnFocus={!inserted}
        onExitTransitionEnd={() => {
          // Writing goes on behind the inserted text.
          if (inserted) area()?.focus()
        }}
      >
        {view === 'list' ? (
          <SnippetList
            text={text}
            onInsert={insert}
            onEdit={(snippet) => setView({ snippet, content: snippet.content })}
            onNew={(content) => setView({ content })}
          />
        ) : (
          <SnippetForm {...view} onClose={() => setView('list')} />
        )}
      </Dialog>
    </>
  )
}
