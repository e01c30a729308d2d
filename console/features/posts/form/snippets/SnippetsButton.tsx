import { Button } from '@mantine/core'
import { TextQuote } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../../ui/dialog/Dialog'
import { insertAtCaret } from '../../../../ui/text/insert-at-caret'
import type { Snippet, Variables } from './queries'
import { SnippetForm } from './SnippetForm'
import { SnippetList } from './SnippetList'
import { type SnippetPlace, useFillSnippet } from './snippet-place'
import { VariablesForm } from './VariablesForm'

type Props = {
  /** Id of the text area that a snippet is inserted into. */
  field: string
  /** Label of the button, where the page has several. */
  label?: string
  /** The text of the post, which can become a snippet. */
  text: string
  place: SnippetPlace
}

/** `list`: all snippets; otherwise what is written, with its first values. */
type View = 'list' | { variables: Variables } | { snippet?: Snippet; content: string }

/** Inserts snippets into a text, and keeps them. */
export function SnippetsButton({ field, label, text, place }: Props) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const [view, setView] = useState<View>('list')
  const [inserted, setInserted] = useState(false)
  const fill = useFillSnippet(place)
  const area = () => {
    const node = document.getElementById(field)
    return node instanceof HTMLTextAreaElement ? node : undefined
  }
  const insert = (snippet: Snippet, variables: Variables) => {
    const node = area()
    const { content, parts } = fill(snippet, variables)
    if (node) insertAtCaret(node, content)
    if (snippet.kind === 'template') place.onTemplate?.(parts)
    setInserted(true)
    setOpened(false)
  }
  const showList = () => setView('list')
  return (
    <>
      <Button
        variant="subtle"
        size="compact-md"
        leftSection={<TextQuote size={16} />}
        aria-label={label}
        onClick={() => {
          showList()
          setInserted(false)
          setOpened(true)
        }}
      >
        {t('snippets.button')}
      </Button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={titleOf(view)}
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
            onVariables={(variables) => setView({ variables })}
          />
        ) : 'variables' in view ? (
          <VariablesForm variables={view.variables} onClose={showList} />
        ) : (
          <SnippetForm {...view} post={place.parts} onClose={showList} />
        )}
      </Dialog>
    </>
  )

  function titleOf(shown: View) {
    if (shown === 'list') return t('snippets.title')
    if ('variables' in shown) return t('snippets.variables')
    return shown.snippet ? t('snippets.edit_name', { name: shown.snippet.name }) : t('snippets.new')
  }
}
