import { pictureAddress } from '#kit/picture.ts'
import styles from './AgentBrand.module.css'

/** An agency as whoever opens its pages may know it. */
export type Brand = { companyName: string; logoId: string | null }

type Props = { brand: Brand; className?: string | undefined }

/** Under whose name a page stands: an agency's logo, where it has one, over its name. */
export function AgentBrand({ brand: { companyName, logoId }, className = '' }: Props) {
  return (
    <span className={`${styles.brand} ${className}`}>
      {logoId !== null && <AgentLogo logoId={logoId} />}
      <span className={styles.name}>{companyName}</span>
    </span>
  )
}

export function AgentLogo({ logoId, className }: { logoId: string; className?: string | undefined }) {
  return <LogoPicture address={pictureAddress(logoId)} className={className} />
}

/** Beside the name that it stands for. Drawn for white paper, it stands in the dark with its light turned over. */
export function LogoPicture({
  address,
  className = '',
}: {
  address: string
  className?: string | undefined
}) {
  return <img className={`${styles.logo} ${className}`} src={address} alt="" />
}
