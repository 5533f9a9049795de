// Definitions by the TypeScript compiler: node graph_truth_ts.cjs TYPESCRIPT_FOLDER ROOT < questions > answers
// questions: JSON [{"path", "line", "column"}], columns in characters from 0; answers: per question [[path, line], ...]
// of the definitions' names within ROOT, "" for one outside it, null when the compiler knows none.
const fs = require("fs")
const path = require("path")
const ts = require(process.argv[2])
const root = process.argv[3]
const questions = JSON.parse(fs.readFileSync(0, "utf8"))
const files = []
const collect = (folder) => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && entry.name !== "dist") collect(full)
    } else if (/\.[cm]?[jt]sx?$/.test(entry.name)) files.push(full)
  }
}
collect(root)
const options = {
  allowJs: true, checkJs: false, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, strict: true, skipLibCheck: true,
  maxNodeModuleJsDepth: 0, types: [],
}
const texts = new Map()
const text = (name) => {
  if (!texts.has(name)) texts.set(name, fs.existsSync(name) ? fs.readFileSync(name, "utf8") : undefined)
  return texts.get(name)
}
const service = ts.createLanguageService({
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => (text(name) === undefined ? undefined : ts.ScriptSnapshot.fromString(text(name))),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
})
const program = service.getProgram()
const answers = questions.map(({ path: name, line, column }) => {
  const full = path.join(root, name)
  const source = program.getSourceFile(full)
  if (!source) return null
  let found
  try {
    const place = source.getPositionOfLineAndCharacter(line - 1, column)
    found = service.getDefinitionAtPosition(full, place)
  } catch {
    return null
  }
  if (!found || !found.length) return null
  return found.map((definition) => {
    const relative = path.relative(root, definition.fileName)
    if (relative.startsWith("..") || relative.includes("node_modules")) return ""
    const target = program.getSourceFile(definition.fileName)
    return [relative, target.getLineAndCharacterOfPosition(definition.textSpan.start).line + 1]
  })
})
process.stdout.write(JSON.stringify(answers))
