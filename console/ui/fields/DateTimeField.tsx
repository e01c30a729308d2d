import { Input, TextInput } from '@mantine/core'
import type { DateTimePickerProps } from '@mantine/dates'
import { useMediaQuery } from '@mantine/hooks'
import { lazy } from 'react'
import { useFormat } from '../text/format'
import { fromWall } from '../text/time-zone'
import { LazyPicker } from './LazyPicker'

type Props = Omit<DateTimePickerProps, 'id' | 'popoverProps' | 'valueFormat'> & {
  valueFormat?: (wall: string) => string
}

/** Asks for a wall-clock time, in the language and with the clock of the user. */
export function DateTimeField(props: Props) {
  const isTouch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  return isTouch ? <NativeDateTimeField {...props} /> : <PickerField {...props} />
}

/** The field of the device, which fits its screen and its hands. */
function NativeDateTimeField({ value, onChange, minDate, maxDate, ...props }: Props) {
  const { label, description, error, mt, w, required, 'aria-label': name } = props
  const local = (wall: Props['value']) => (wall ? String(wall).slice(0, 16).replace(' ', 'T') : undefined)
  return (
    <TextInput
      type="datetime-local"
      size="md"
      {...{ label, description, error, mt, w, required, 'aria-label': name }}
      min={local(minDate)}
      max={local(maxDate)}
      value={local(value) ?? ''}
      onChange={({ currentTarget }) =>
        onChange?.(currentTarget.value ? `${currentTarget.value.replace('T', ' ')}:00` : null)
      }
    />
  )
}

const loadPicker = () => import('./DateTimePickerField')
const DateTimePickerField = lazy(loadPicker)

function PickerField(props: Props) {
  const clock = useFormat('UTC')
  const { value, placeholder, valueFormat = (wall) => clock.full(fromWall('UTC', wall)) } = props
  const { label, description, error, required, mt, w, leftSection, 'aria-label': name } = props
  return (
    <LazyPicker
      {...{ size: 'md', label, description, error, required, mt, w, leftSection, 'aria-label': name }}
      isSet={Boolean(value)}
      preload={loadPicker}
      picker={(ref) => <DateTimePickerField size="md" {...props} valueFormat={valueFormat} ref={ref} />}
    >
      {value ? valueFormat(String(value)) : <Input.Placeholder>{placeholder}</Input.Placeholder>}
    </LazyPicker>
  )
}
