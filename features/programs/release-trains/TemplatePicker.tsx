import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import type { ControlProps } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import { releaseTrainsApi } from './releaseTrainsApi.tsx'
import styles from './trains.module.css'

type Template = Awaited<ReturnType<typeof releaseTrainsApi.templates>>['templates'][number]

const keyOf = ({ templateId, tag }: Template) => `${templateId} ${tag}`

/** The templates of the platform, and the one that is chosen by its key. */
export function useTemplates() {
  const query = useQuery({
    ...releaseTrainsApi.templates.query(),
    refetchOnWindowFocus: false,
    retry: false,
  })
  return { query, chosen: (key: string) => query.data?.templates.find(one => keyOf(one) === key) }
}

type Props = ControlProps & {
  from: ReturnType<typeof useTemplates>
  value: string
  /** Only those of this tag. */
  tag?: string
  onChange: (key: string) => void
}

export function TemplatePicker({ from: { query }, value, tag, onChange, ...control }: Props) {
  if (query.isError)
    return (
      <span className={styles.trouble} role="alert">
        {messageOf(query.error)}
        <Button kind="link" onClick={() => void query.refetch()}>
          重试
        </Button>
      </span>
    )
  const offered = query.data?.templates.filter(one => tag === undefined || one.tag === tag)
  return (
    <Select
      {...control}
      what="代码模板"
      value={value || undefined}
      placeholder="请选择"
      notFound="平台上没有带标签的代码模板"
      loading={query.isPending}
      options={offered?.map(one => ({
        value: keyOf(one),
        label: `${one.tag} ${one.version}（模板 ${one.templateId}）`,
      }))}
      onChange={key => onChange(key ?? '')}
    />
  )
}
