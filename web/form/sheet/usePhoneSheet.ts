import { usePhone } from '../../usePhone.ts'
import styles from './sheet.module.css'

/** More are searched, which needs the keyboard, and that covers what stands at the bottom. */
const MOST = 12

/** The look of a choice's list as a sheet at the thumb, where the screen is a phone's and the choices are few. */
export function usePhoneSheet(choices: number | undefined): string | undefined {
  const phone = usePhone()
  return phone && choices !== undefined && choices <= MOST ? styles.sheet : undefined
}
