import { Button } from '#web/controls/Button.tsx'
import { Switch } from '#web/form/Check.tsx'
import { Field } from '#web/form/Field.tsx'
import { Upload } from '#web/form/files/Upload.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import { TextInput } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import styles from './customization.module.css'
import {
  BLOCK_TYPES,
  type Block,
  type BlockType,
  type Draft,
  LIMITS,
  PAGE_REFUSALS,
  type PageNotice,
  PICTURES,
  pictureOf,
  SHOP_PICTURE_KB,
} from './rules.ts'

type Props = { type: BlockType; form: Form<Draft>; uploads: Uploads }

const TEXTS: Record<BlockType, { label: string; placeholder: string; required?: true }> = {
  manager: { label: '服务经理', placeholder: '请输入服务经理的称呼，如 王经理', required: true },
  hotline: { label: '热线号码', placeholder: '请输入服务热线，如 400-800-1234', required: true },
  contact: { label: '说明', placeholder: '请输入二维码下的文字，如 微信扫码联系' },
  linkOne: { label: '链接文字', placeholder: '请输入链接文字' },
  linkTwo: { label: '链接文字', placeholder: '请输入链接文字' },
  picture: { label: '说明', placeholder: '请输入图片下的文字' },
}

/** One typed block: its switch, picture, text, and whether a click leads somewhere. */
export function BlockFields({ type, form, uploads }: Props) {
  const block = form.draft[type]
  const name = BLOCK_TYPES[type]
  const purpose = pictureOf(type)
  const { width, height } = PICTURES[purpose]
  const { label, placeholder, required } = TEXTS[type]
  const change = (changed: Partial<Block>) => form.change({ [type]: { ...form.draft[type], ...changed } })
  const needsPicture = block.enabled && (type === 'contact' || type === 'picture')
  return (
    <fieldset className={styles.block}>
      <legend>
        {name}
        <Switch
          checked={block.enabled}
          aria-label={`启用${name}`}
          onChange={enabled => change({ enabled })}
        />
      </legend>
      <Field form={form} name={`${type}.pictureId`} label="图片" required={needsPicture}>
        {({ id }) => (
          <Upload
            id={id}
            value={block.pictureId}
            onChange={pictureId => change({ pictureId })}
            purpose={purpose}
            label={`${name}图片`}
            onlyOne="只能上传一张图片"
            onBusy={uploads.at(`${type}.pictureId`)}
            most={SHOP_PICTURE_KB}
            hint={`建议 ${width}×${height}`}
          />
        )}
      </Field>
      <Field
        form={form}
        name={`${type}.text`}
        label={label}
        required={required ?? (block.enabled && type.startsWith('link'))}
      >
        {control => (
          <TextInput
            {...control}
            value={block.text}
            onChange={text => change({ text })}
            placeholder={placeholder}
            count={LIMITS.text}
            inputMode={type === 'hotline' ? 'tel' : undefined}
          />
        )}
      </Field>
      <Field form={form} name={`${type}.skips`} group>
        {control => (
          <Switch {...control} checked={block.skips} onChange={skips => change({ skips })}>
            点击跳转
          </Switch>
        )}
      </Field>
      {block.skips && (
        <Field form={form} name={`${type}.link`} label="跳转地址" required>
          {control => (
            <TextInput
              {...control}
              value={block.link}
              onChange={link => change({ link })}
              placeholder="请输入以 https:// 开头的地址"
              inputMode="url"
              maxLength={LIMITS.link}
            />
          )}
        </Field>
      )}
    </fieldset>
  )
}

/** What the agent tells all its shops. */
export function NoticeFields({ form }: { form: Form<Draft> }) {
  const { notices } = form.draft
  const change = (at: number, changed: Partial<PageNotice>) =>
    form.change({
      notices: form.draft.notices.map((notice, i) => (i === at ? { ...notice, ...changed } : notice)),
    })
  return (
    <fieldset className={styles.block}>
      <legend>公告</legend>
      {notices.map(({ title, body }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that names a notice.
        <div key={at} className={styles.notice}>
          <Field form={form} name={`notices.${at}.title`} label={`公告 ${at + 1} 标题`} required>
            {control => (
              <TextInput
                {...control}
                value={title}
                onChange={next => change(at, { title: next })}
                count={LIMITS.noticeTitle}
              />
            )}
          </Field>
          <Field form={form} name={`notices.${at}.body`} label="内容">
            {control => (
              <TextInput
                {...control}
                value={body}
                onChange={next => change(at, { body: next })}
                rows={3}
                count={LIMITS.noticeBody}
              />
            )}
          </Field>
          <Button
            kind="link"
            onClick={() => form.change({ notices: notices.filter((_, i) => i !== at) })}
            aria-label={`删除公告 ${at + 1}`}
          >
            删除
          </Button>
        </div>
      ))}
      <Button
        disabled={notices.length >= LIMITS.notices && PAGE_REFUSALS.NOTICES_TOO_MANY}
        onClick={() => form.change({ notices: [...notices, { title: '', body: '' }] })}
      >
        添加公告
      </Button>
    </fieldset>
  )
}
