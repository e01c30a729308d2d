import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** The turquoise of Iznik tiles. */
const iznik: MantineColorsTuple = [
  '#e8f7f7',
  '#d0ecee',
  '#a3dadd',
  '#71c6cb',
  '#48b3ba',
  '#27a0a8',
  '#0f8b94',
  '#067d87',
  '#05656e',
  '#064c53',
]
/** The red of the same tiles, for errors. */
const coral: MantineColorsTuple = [
  '#fff0ed',
  '#fddfd9',
  '#f9bcb1',
  '#f59686',
  '#ef7561',
  '#e65d47',
  '#d84a33',
  '#bd3a25',
  '#9a2f1e',
  '#752316',
]
/** The green of what went well: published, delivered, paid, connected. Turquoise is for what can be clicked. */
const success: MantineColorsTuple = [
  '#e9f8ee',
  '#d3efdd',
  '#a9dfbd',
  '#7ccf9a',
  '#4fb97a',
  '#33a764',
  '#229554',
  '#1a7f45',
  '#146637',
  '#0e4d29',
]
/** Surfaces and text of the dark scheme. */
const dark: MantineColorsTuple = [
  '#d6dddd',
  '#b3bebf',
  '#8f9d9f',
  '#69787a',
  '#435153',
  '#313d40',
  '#232d30',
  '#192124',
  '#12191b',
  '#0c1113',
]
/** Neutral greys. */
const gray: MantineColorsTuple = [
  '#f7f8f7',
  '#eff1f0',
  '#e4e8e7',
  '#d5dbda',
  '#bcc5c4',
  '#93a09f',
  '#66757a',
  '#4a575b',
  '#313c40',
  '#1d262a',
]

export const theme = createTheme({
  primaryColor: 'iznik',
  primaryShade: { light: 7, dark: 7 },
  colors: { iznik, coral, success, dark, gray, red: coral },
  black: '#1d262a',
  fontFamily: "'Hanken Grotesk Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.78125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.55', lg: '1.6', xl: '1.6' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '20px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Components are named and not imported: imports here would load them all with the first page.
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md' } },
    MultiSelect: { defaultProps: { size: 'md' } },
    TagsInput: { defaultProps: { size: 'md' } },
    CheckboxGroup: { defaultProps: { size: 'md' } },
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    Card: { defaultProps: { bg: 'var(--surface)', withBorder: true, padding: 'lg', radius: 'lg' } },
    Modal: { defaultProps: { radius: 'lg', centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    Avatar: { defaultProps: { color: 'iznik', variant: 'light' } },
  },
})

/** Mantine's light backgrounds are near black in the dark scheme: these are translucent middle shades. */
const veils = Object.fromEntries(
  Object.entries({
    iznik: iznik[4],
    coral: coral[4],
    success: success[4],
    red: coral[4],
    gray: gray[5],
    yellow: '#fcc419',
    orange: '#ff922b',
    blue: '#339af0',
  }).map(([name, color]) => [`--mantine-color-${name}-light`, `${color}38`]),
)

/** `--ground`: the page background; `--surface`: cards on top of it; `--success`: text and signs of what went well. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--ground': '#f4f6f5',
    '--surface': '#ffffff',
    '--line': '#e1e6e5',
    '--mantine-color-body': '#ffffff',
    '--hover': '#eef6f6',
    '--mantine-color-dimmed': '#526064',
    '--mantine-color-placeholder': '#68767a',
    '--mantine-color-error': '#bd3a25',
    '--success': success[8],
    '--mantine-color-success-light-color': 'var(--success)',
    // Mantine's are too pale to read on their light backgrounds.
    '--mantine-color-yellow-light-color': '#7a4d00',
    '--mantine-color-orange-light-color': '#8f3a00',
    '--mantine-color-anchor': '#05656e',
  },
  dark: {
    ...veils,
    '--mantine-primary-color-light': `${iznik[4]}38`,
    '--ground': '#0f1517',
    '--surface': '#161d20',
    '--line': '#293336',
    '--mantine-color-body': '#161d20',
    '--mantine-color-default': '#1b2326',
    '--hover': '#1c2629',
    '--mantine-color-dimmed': '#97a5a7',
    '--mantine-color-placeholder': '#87969a',
    '--mantine-color-error': '#f59686',
    '--success': success[3],
    '--mantine-color-success-light-color': 'var(--success)',
    '--mantine-color-anchor': '#71c6cb',
  },
})
