import { Image } from '@tiptap/extension-image'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { PICTURE_TYPES, pictureAddress } from '#kit/picture.ts'
import { isRichLink } from '#kit/words/rich.ts'
import { uploadPicture } from '../client/uploads.ts'
import { Button } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'
import { toast } from '../controls/toast.ts'
import { cleanHtml } from './clean.ts'
import styles from './rich.module.css'

/** D3 §8. */
const PICTURE_FAILED = '图片插入失败'

type Props = {
  /** Of what is typed into. */
  id?: string
  label: string
  describedBy?: string | undefined
  /** What it begins with; what is typed is told and not given back. */
  initial: string
  /** Nothing typed and no picture: ''. */
  onChange: (html: string) => void
  /** What its pictures are for; the server knows who may send such. */
  purpose: string
  /** Hears whether a picture is on its way. */
  onBusy?: (busy: boolean) => void
}

/** Our own pictures alone: others are left out as they are pasted. */
const OwnImage = Image.extend({ parseHTML: () => [{ tag: 'img[src^="/api/files/"]' }] })

const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    link: {
      openOnClick: false,
      isAllowedUri: url => isRichLink(url),
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  OwnImage,
]

/** Text with headings, lists, links and pictures. Load it lazily: the editor is large. */
export default function RichEditor({ id, label, describedBy, initial, onChange, purpose, onBusy }: Props) {
  const pictures = usePictures(purpose, onBusy)
  const held = useRef<Editor | null>(null)
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: cleanHtml(initial),
    // The page's content security policy lets no style in; rich.module.css has them.
    injectCSS: false,
    editorProps: {
      attributes: {
        ...(id ? { id } : {}),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        class: `${styles.text} ${styles.typed}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
      },
      transformPastedHTML: cleanHtml,
      handlePaste: (_view, event) => pictures.take(held.current, event.clipboardData?.files),
      handleDrop: (_view, event) => pictures.take(held.current, event.dataTransfer?.files),
    },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? '' : changed.getHTML()),
  })
  held.current = editor
  return (
    <div className={styles.editor} data-part="rich-editor">
      {editor && <Tools editor={editor} label={label} onPictures={files => pictures.take(editor, files)} />}
      <EditorContent editor={editor} />
      {pictures.under > 0 && <progress className={styles.progress} aria-label="图片上传中" />}
    </div>
  )
}

function usePictures(purpose: string, onBusy: Props['onBusy']) {
  const [under, setUnder] = useState(0)
  const stop = useRef(new AbortController())
  const told = useRef(onBusy)
  told.current = onBusy
  useEffect(() => told.current?.(under > 0), [under])
  useEffect(() => {
    stop.current = new AbortController()
    return () => stop.current.abort()
  }, [])
  const insert = async (editor: Editor, file: File) => {
    setUnder(count => count + 1)
    try {
      const fileId = await uploadPicture(file, purpose, () => undefined, stop.current.signal)
      if (!editor.isDestroyed)
        editor
          .chain()
          .focus()
          .setImage({ src: pictureAddress(fileId), alt: file.name })
          .run()
    } catch (error) {
      // Why it was refused follows what is said of every picture that fails.
      const why = error instanceof Error && error.message !== '' ? `：${error.message}` : ''
      toast.error(`${PICTURE_FAILED}${why}`)
    } finally {
      setUnder(count => count - 1)
    }
  }
  /** True where there were files, which the editor then leaves alone. */
  const take = (
    editor: Editor | null,
    files: Iterable<File> | ArrayLike<File> | undefined | null,
  ): boolean => {
    const all = Array.from(files ?? [])
    if (!editor || all.length === 0) return false
    for (const file of all) {
      if ((PICTURE_TYPES as readonly string[]).includes(file.type)) void insert(editor, file)
      else toast.error(`${PICTURE_FAILED}：图片格式须为jpg、jpeg或png`)
    }
    return true
  }
  return { under, take }
}

type Tool = { key: string; shown: ReactNode; name: string; isOn?: boolean; run: () => void }

type ToolsProps = { editor: Editor; label: string; onPictures: (files: FileList | null) => void }

function Tools({ editor, label, onPictures }: ToolsProps) {
  const input = useRef<HTMLInputElement>(null)
  const [linking, setLinking] = useState(false)
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      strike: now.isActive('strike'),
      title: now.isActive('heading', { level: 2 }),
      subtitle: now.isActive('heading', { level: 3 }),
      bullets: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      quote: now.isActive('blockquote'),
      link: now.isActive('link'),
    }),
  })
  const chain = () => editor.chain().focus()
  const tools: Tool[] = [
    { key: 'bold', shown: <b>B</b>, name: 'B 加粗', isOn: on.bold, run: () => chain().toggleBold().run() },
    {
      key: 'italic',
      shown: <i>I</i>,
      name: 'I 斜体',
      isOn: on.italic,
      run: () => chain().toggleItalic().run(),
    },
    {
      key: 'strike',
      shown: <s>S</s>,
      name: 'S 删除线',
      isOn: on.strike,
      run: () => chain().toggleStrike().run(),
    },
    {
      key: 'title',
      shown: 'H1',
      name: 'H1 标题',
      isOn: on.title,
      run: () => chain().toggleHeading({ level: 2 }).run(),
    },
    {
      ...{ key: 'subtitle', shown: 'H2', name: 'H2 小标题', isOn: on.subtitle },
      run: () => chain().toggleHeading({ level: 3 }).run(),
    },
    {
      key: 'bullets',
      shown: '•',
      name: '项目列表',
      isOn: on.bullets,
      run: () => chain().toggleBulletList().run(),
    },
    {
      key: 'numbers',
      shown: '1.',
      name: '1. 编号列表',
      isOn: on.numbers,
      run: () => chain().toggleOrderedList().run(),
    },
    { key: 'quote', shown: '”', name: '引用', isOn: on.quote, run: () => chain().toggleBlockquote().run() },
    { key: 'link', shown: '链接', name: '链接', isOn: on.link, run: () => setLinking(!linking) },
    { key: 'picture', shown: '图片', name: '插入图片', run: () => input.current?.click() },
  ]
  return (
    <>
      <div className={styles.tools} role="toolbar" aria-label={`${label}格式`}>
        {tools.map(({ key, shown, name, isOn, run }) => (
          <button
            key={key}
            type="button"
            className={styles.tool}
            aria-label={name}
            aria-pressed={isOn}
            data-tip={name}
            onClick={run}
          >
            {shown}
          </button>
        ))}
        <input
          ref={input}
          hidden
          type="file"
          multiple
          accept={PICTURE_TYPES.join(',')}
          aria-label="选择要插入的图片"
          onChange={event => {
            onPictures(event.target.files)
            // The same file may be chosen again after a failure.
            event.target.value = ''
          }}
        />
      </div>
      {linking && <LinkRow editor={editor} onDone={() => setLinking(false)} />}
    </>
  )
}

function LinkRow({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const [href, setHref] = useState(String(editor.getAttributes('link').href ?? ''))
  const [wrong, setWrong] = useState(false)
  const set = () => {
    const address = href.trim()
    if (address !== '' && !isRichLink(address)) return setWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (address === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain
        .insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] })
        .run()
    else chain.setLink({ href: address }).run()
    onDone()
  }
  return (
    <div className={styles.linkRow}>
      <input
        className={look.input}
        aria-label="链接地址"
        aria-invalid={wrong || undefined}
        placeholder="https://"
        value={href}
        // biome-ignore lint/a11y/noAutofocus: it was asked for by the button beside it.
        autoFocus
        onChange={event => {
          setHref(event.target.value)
          setWrong(false)
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          set()
        }}
      />
      <Button onClick={set}>{href.trim() === '' ? '取消链接' : '设为链接'}</Button>
      {wrong && <span role="alert">链接须以 http://、https:// 或 /admin/ 开头</span>}
    </div>
  )
}
