import { Combobox, Text, Textarea, type TextareaProps, useCombobox } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'

/** The name that is being written after a sign such as `@` before the caret, and where the sign is. */
export type Writing<Sign extends string = string> = { sign?: Sign; name: string; start: number }

export type Suggestion = {
  id: string
  label: ReactNode
  /** Heading under which it is listed. */
  group?: string
} & (
  | {
      /** Put in place of what is being written. */
      text: string
      /** Stores the text, where it differs from what is shown. Else the field changes as if it was typed. */
      onInsert?: (start: number, end: number) => void
    }
  | {
      /** Called when it is chosen, in place of writing a text. The list stays open. */
      onChoose: () => void
    }
)

type Props<Sign extends string> = Omit<TextareaProps, 'ref'> & {
  ref?: Ref<HTMLTextAreaElement> | undefined
  /** Finds the name that is being written. */
  find: (text: string, caret: number) => Writing<Sign> | undefined
  /** Follows the name that is being written. */
  onWriting: (writing: Writing<Sign> | undefined) => void
  options: readonly Suggestion[]
  /** Label of the list of options. */
  listLabel: string
  /** Shown below the options. The list is closed while there are neither. */
  status?: ReactNode
}

/** A text area that suggests what to insert after a sign, such as whom to mention after an `@`. */
export function SuggestionField<Sign extends string>({ ref, find, onWriting, ...props }: Props<Sign>) {
  const { options, listLabel, status, ...field } = props
  const [writing, setWriting] = useState<Writing<Sign>>()
  const area = useRef<HTMLTextAreaElement>(null)
  const merged = useMergedRef(area, ref)
  const opened = writing !== undefined && (options.length > 0 || Boolean(status))
  const combobox = useCombobox({ opened, onOpenedChange: (isOpened) => isOpened || follow(undefined) })
  const shown = options.map(({ id }) => id).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list of options
  useEffect(() => {
    if (!opened || shown === '') return
    combobox.updateSelectedOptionIndex()
    // The Enter key goes on with the text, rather than with what the user did not ask for.
    if (options[0] && 'onChoose' in options[0]) return
    // After the options of the new text are there.
    const frame = requestAnimationFrame(() => combobox.selectFirstOption())
    return () => cancelAnimationFrame(frame)
  }, [opened, shown])

  function follow(now: Writing<Sign> | undefined) {
    if (now?.name === writing?.name && now?.start === writing?.start && now?.sign === writing?.sign) return
    setWriting(now)
    onWriting(now)
  }

  function choose(id: string) {
    const option = options.find((one) => one.id === id)
    const at = area.current
    if (!option || !writing || !at) return
    at.focus()
    if ('onChoose' in option) return option.onChoose()
    const { start, name } = writing
    const end = start + 1 + name.length
    at.setRangeText(option.text, start, end, 'end')
    if (option.onInsert) option.onInsert(start, end)
    else at.dispatchEvent(new Event('input', { bubbles: true }))
    follow(undefined)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width={320} shadow="md">
      <Combobox.Target withKeyboardNavigation={opened}>
        <Textarea
          {...field}
          ref={merged}
          onChange={(event) => {
            const { value, selectionStart } = event.currentTarget
            field.onChange?.(event)
            follow(find(value, selectionStart))
          }}
          onSelect={(event) => {
            const { value, selectionStart, selectionEnd } = event.currentTarget
            follow(selectionStart === selectionEnd ? find(value, selectionStart) : undefined)
          }}
          onBlur={(event) => {
            field.onBlur?.(event)
            follow(undefined)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={listLabel} mah={260} style={{ overflowY: 'auto' }}>
          {groupsOf(options).map(([group, members]) =>
            group === undefined ? (
              members.map(optionOf)
            ) : (
              <Combobox.Group key={group} label={group}>
                {members.map(optionOf)}
              </Combobox.Group>
            ),
          )}
        </Combobox.Options>
        {status && (
          <Combobox.Footer>
            <Text fz="sm" c="dimmed" role="status">
              {status}
            </Text>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}

const optionOf = ({ id, label }: Suggestion) => (
  <Combobox.Option key={id} value={id} dir="auto">
    {label}
  </Combobox.Option>
)

const groupsOf = (options: readonly Suggestion[]) => [...Map.groupBy(options, ({ group }) => group)]
