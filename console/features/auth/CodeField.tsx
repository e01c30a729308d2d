import { Input, PinInput, type PinInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** Calls `send` when the sixth digit is there, and at no other change. */
export function useSixthDigit(code: string, send: () => unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last digit sends, and no other change does
  useEffect(() => {
    if (code.length === 6) send()
  }, [code])
}

/** Six digits, each in a box of its own. `autoFocus`: keys begin at the first, also after the code was taken out. */
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
    <div>
      <Input.Label component="div" size="md" id={id} mb={6}>
        {label}
      </Input.Label>
      <PinInput
        // Without one of its own, Mantine changes it after drawing, and the fields lose the focus.
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
