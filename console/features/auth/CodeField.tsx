import { Input, PinInput, type PinInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** Calls `send` when the sixth digit is entered, and on no other change. */
export function useSubmitOnSixthDigit(code: string, send: () => unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the last digit sends
  useEffect(() => {
    if (code.length === 6) send()
  }, [code])
}

/** The six digits in a text that a person copied: grouped, with words around them, or in Arabic digits. */
function codeIn(text: string) {
  const latin = text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
  const [found] = /(?<!\d)\d(?:[^\p{L}\d]{0,2}\d){5}(?!\d)/u.exec(latin) ?? []
  return found?.replace(/\D/g, '')
}

/** Six digits, one per box. `autoFocus`: focuses the first box, also after the code was cleared. */
export function CodeField({
  label,
  error,
  autoFocus = false,
  ref,
  ...props
}: Omit<PinInputProps, 'error' | 'ref'> & { label: string; error?: ReactNode; ref?: Ref<HTMLInputElement> }) {
  const { t } = useTranslation()
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const empty = props.value === ''
  useEffect(() => {
    if (autoFocus && empty) first.current?.focus()
  }, [autoFocus, empty])
  return (
    <div
      onPasteCapture={(event) => {
        const code = codeIn(event.clipboardData.getData('text'))
        if (code === undefined) return
        // The boxes take digits only.
        event.preventDefault()
        event.stopPropagation()
        props.onChange?.(code)
      }}
    >
      <Input.Label component="div" size="md" id={id} mb={6}>
        {label}
      </Input.Label>
      <PinInput
        // Without an id, Mantine changes it after rendering, and the fields lose the focus.
        id={`${id}-digits`}
        ref={useMergedRef(first, ref)}
        length={6}
        type="number"
        size="lg"
        oneTimeCode
        placeholder=""
        error={Boolean(error)}
        aria-labelledby={id}
        getInputProps={(index) => ({ 'aria-label': t('verify.digit', { number: index + 1 }) })}
        {...props}
      />
      {error && (
        <Input.Error size="md" mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}
