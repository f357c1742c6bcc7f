import { t } from '@lingui/core/macro';
import {
  type ActionIconProps,
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type InputProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type NotificationProps,
  type PasswordInputProps,
  type PopoverProps,
  type SelectProps,
  type TooltipProps,
} from '@mantine/core';

// Mantine fills with shade 7 and writes light text in shade 4. Both are real colors of tokens.css.
const dark: MantineColorsTuple = [
  '#E4E8EE',
  '#AEB8C4',
  '#8C96A5',
  '#6E7988',
  '#343D49',
  '#242B34',
  '#1B2027',
  '#14181D',
  '#0E1115',
  '#0A0C0F',
];
const azure: MantineColorsTuple = [
  '#EAF2FF',
  '#D3E4FF',
  '#B4D0FF',
  '#99C1FF',
  '#7DB0FF',
  '#5A96F2',
  '#3D7FE4',
  '#2C6BD6',
  '#2C6BD6',
  '#2258B4',
];
const red: MantineColorsTuple = [
  '#FFECEA',
  '#FFD7D4',
  '#FFBBB6',
  '#FF9F98',
  '#FF8078',
  '#EE645D',
  '#DB4A45',
  '#C93A36',
  '#C93A36',
  '#A82E2A',
];

const quick = { duration: 80 };

/** Returns default properties for the theme. Uses no `extend`, so that the first load does not need the component. */
const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

export const theme = createTheme({
  colors: { dark, azure, red },
  primaryColor: 'azure',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 6,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12.5px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.4', lg: '1.4', xl: '1.35' },
  spacing: { xs: '6px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  components: {
    Button: defaults<ButtonProps>({ size: 'xs' }),
    ActionIcon: defaults<ActionIconProps>({ variant: 'subtle', color: 'gray', size: 26 }),
    Input: defaults<InputProps>({ size: 'xs' }),
    // Prevents a list from opening when the user moves past it with Tab, because the list would cover the next field.
    Select: defaults<SelectProps>({
      openOnFocus: false,
      comboboxProps: { shadow: 'md', transitionProps: quick },
    }),
    Tooltip: defaults<TooltipProps>({ openDelay: 350, withArrow: true, fz: 12, color: 'dark.5' }),
    Menu: defaults<MenuProps>({
      shadow: 'lg',
      transitionProps: quick,
      // Disables an invisible first element, because a menu may contain only its items. The first item takes the
      // focus.
      withInitialFocusPlaceholder: false,
    }),
    PasswordInput: defaults<PasswordInputProps>({
      visibilityToggleButtonProps: { 'aria-label': t`Toggle password visibility` },
    }),
    Drawer: defaults<DrawerProps>({ closeButtonProps: { 'aria-label': t`Close` } }),
    Notification: defaults<NotificationProps>({ closeButtonProps: { 'aria-label': t`Dismiss` } }),
    Modal: defaults<ModalProps>({
      centered: true,
      padding: 20,
      radius: 8,
      // Role of the dialog header, which would otherwise count as a banner landmark of the page.
      attributes: { header: { role: 'presentation' } },
      closeButtonProps: { 'aria-label': t`Close` },
      overlayProps: { backgroundOpacity: 0.6, blur: 0 },
      transitionProps: { duration: 120 },
    }),
    Popover: defaults<PopoverProps>({ shadow: 'lg', transitionProps: quick }),
  },
});

/** Color variables of Mantine, set to the colors of tokens.css. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {},
  dark: {
    '--mantine-color-body': 'var(--bg2)',
    '--mantine-color-text': 'var(--text1)',
    '--mantine-color-dimmed': 'var(--text3)',
    '--mantine-color-placeholder': 'var(--text3)',
    '--mantine-color-default': 'var(--bg3)',
    '--mantine-color-default-hover': 'var(--bg4)',
    '--mantine-color-default-border': 'var(--line2)',
    '--mantine-color-anchor': 'var(--primary)',
    '--mantine-color-error': 'var(--danger)',
  },
});

/**
 * Returns the nonce that the server has written into the page. The content security policy refuses style elements
 * without it.
 */
export const styleNonce = (): string => document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
