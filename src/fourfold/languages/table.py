"""The registry's data: one entry a language. See `entry.Language` for what the fields mean."""

from __future__ import annotations

from fourfold.languages.entry import Language

_FULL = ("definitions", "calls", "construction", "imports", "inheritance", "decorators", "reads and writes", "types")
_MOST = ("definitions", "calls", "imports", "inheritance")
_CALLS = ("definitions", "calls", "imports")
_NAMES = ("definitions",)

_PYTHON = frozenset(
    "int str float bool bytes list dict set tuple object type None True False Any Optional Union self cls".split()
)
_ECMA = frozenset(
    "string number boolean any unknown never void undefined null object Array Promise Object String Number Boolean"
    " Record Partial Readonly Error Map Set console this super".split()
)
_GO = frozenset(
    "string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64"
    " complex128 bool error any true false nil iota _".split()
)
_RUST = frozenset(
    "i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char str String Vec Option Result Some None Ok"
    " Err Box Self self Send Sync Sized Copy Clone".split()
)
_JAVA = frozenset(
    "String Object Integer Long Boolean Double Float Short Byte Character Void Override int long boolean double float"
    " short byte char void var this super".split()
)
_C = frozenset(
    "NULL true false size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t"
    " intptr_t ptrdiff_t off_t time_t int char long short void float double unsigned signed bool stdout stderr stdin"
    " errno this nullptr string".split()
)
_DOTNET = frozenset("string int long bool object var void double float decimal byte char short dynamic this".split())
_JVM = frozenset(
    "String Int Long Boolean Double Float Short Byte Char Unit Any Nothing Array List Map Set Seq Option Some None"
    " this super it".split()
)
_PHP = frozenset("string int bool float array mixed void null true false callable iterable object never static".split())
_SWIFT = frozenset("String Int Bool Double Float Void Any Self self Array Dictionary Set Optional Error".split())

LANGUAGES: tuple[Language, ...] = (
    Language("text", family="prose", extensions=(".txt", ".text", ".log", ".rst", ".adoc", ".asciidoc", ".org")),
    # ------------------------------------------------------------------ the eight
    Language(
        "python", "python", "python", extensions=(".py", ".pyi", ".pyw", ".pyx", ".pxd", ".bzl", ".star", ".gyp",
        ".gypi"),
        file_names=("sconstruct", "sconscript", "wscript", "build", "build.bazel", "workspace", "module.bazel",
        "workspace.bazel",
                    "tiltfile", "snakefile"),
        shebangs=("python", "python2", "python3", "pypy", "pypy3"), aliases=("py", "py3", "python3"),
        closed=True, builtins=_PYTHON, covers=_FULL,
    ),
    Language(
        "javascript", "javascript", "javascript", extensions=(".js", ".mjs", ".cjs", ".jsx", ".es6"),
        file_names=("jakefile",), shebangs=("node", "nodejs", "bun"), aliases=("js", "node", "jsx"),
        closed=True, builtins=_ECMA, covers=_FULL,
    ),
    Language(
        "typescript", "typescript", "typescript", extensions=(".ts", ".mts", ".cts"),
        shebangs=("deno", "ts-node", "tsx"), aliases=("ts",), closed=True, builtins=_ECMA, covers=_FULL,
    ),
    Language("tsx", "tsx", "tsx", extensions=(".tsx",), closed=True, builtins=_ECMA, covers=_FULL),
    Language("go", "go", "go", extensions=(".go",), aliases=("golang",), builtins=_GO, covers=_FULL),
    Language(
        "rust", "rust", "rust", extensions=(".rs",), shebangs=("rust-script",), aliases=("rs",), separators=("::", "."),
        builtins=_RUST, covers=_FULL,
    ),
    Language(
        "java", "java", "java", extensions=(".java", ".jav"), separators=("::", "."), builtins=_JAVA, covers=_FULL
    ),
    Language(
        "c", "c", "c", extensions=(".c", ".h", ".idc"), separators=("->", "."), builtins=_C, covers=_FULL
    ),
    Language(
        "cpp", "cpp", "cpp",
        extensions=(".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tcc", ".tpp",
                    ".txx", ".cu", ".cuh", ".ino", ".cppm", ".ixx"),
        aliases=("c++", "cxx", "cc"), separators=("::", "->", "."), builtins=_C, covers=_FULL,
    ),
    # ------------------------------------------------------------------ more code
    Language(
        "csharp", "csharp", "csharp", extensions=(".cs", ".csx"), aliases=("c#", "cs"), separators=("::", "."),
        builtins=_DOTNET, covers=(*_MOST, "construction"),
    ),
    Language("kotlin", "kotlin", "kotlin", extensions=(".kt", ".kts"), shebangs=("kotlin", "kotlinc"),
             aliases=("kt",), builtins=_JVM, covers=_MOST),
    Language("scala", "scala", "scala", extensions=(".scala", ".sc", ".sbt"), shebangs=("scala", "scala-cli", "amm"),
             builtins=_JVM, covers=_MOST),
    Language("swift", "swift", "swift", extensions=(".swift",), shebangs=("swift",), builtins=_SWIFT, covers=_MOST),
    Language(
        "objc", "objc", "objc", extensions=(".m", ".mm"), aliases=("objective-c", "objectivec", "obj-c"),
        separators=("->", "."), builtins=_C, covers=_MOST,
    ),
    Language(
        "php", "php", "php", extensions=(".php", ".phtml", ".php3", ".php4", ".php5", ".php7", ".phps"),
        shebangs=("php",), separators=("->", "::", "\\"), builtins=_PHP, covers=(*_MOST, "construction"),
    ),
    Language(
        "ruby", "ruby", "ruby", extensions=(".rb", ".rake", ".gemspec", ".ru", ".podspec", ".thor", ".jbuilder"),
        file_names=("rakefile", "gemfile", "capfile", "guardfile", "podfile", "vagrantfile", "brewfile", "fastfile",
                    "dangerfile", "appraisals", "berksfile", "thorfile", "puppetfile", ".irbrc", ".pryrc"),
        shebangs=("ruby", "jruby", "rake"), aliases=("rb",), separators=("&.", "::", "."), covers=_MOST,
    ),
    Language(
        "elixir", "elixir", "elixir", extensions=(".ex", ".exs"), shebangs=("elixir",), aliases=("ex",), covers=_MOST
    ),
    Language("haskell", "haskell", "haskell", extensions=(".hs", ".hs-boot"), shebangs=("runhaskell", "stack"),
             aliases=("hs",), covers=_CALLS),
    Language(
        "lua", "lua", "lua", extensions=(".lua", ".rockspec", ".wlua"), shebangs=("lua", "luajit"),
        separators=(".", ":"), covers=_CALLS,
    ),
    Language("zig", "zig", "zig", extensions=(".zig", ".zon"), covers=_CALLS),
    Language(
        "bash", "bash", "bash", extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".command",
        ".zsh-theme"),
        file_names=(".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
                    "pkgbuild", ".envrc", ".bash_logout", ".bash_functions", ".zlogin", ".zlogout", ".kshrc",
                    ".xinitrc",
                    ".xprofile", ".xsession", "apkbuild"),
        shebangs=("sh", "bash", "zsh", "ksh", "dash", "ash", "bats"), aliases=("sh", "shell", "zsh"), covers=_CALLS,
    ),
    Language("r", "r", "r", extensions=(".r",), file_names=(".rprofile",), shebangs=("rscript",),
             separators=("::", "$"), covers=_CALLS),
    Language("julia", "julia", "julia", extensions=(".jl",), shebangs=("julia",), aliases=("jl",), covers=_CALLS),
    Language("dart", "dart", "dart", extensions=(".dart",), shebangs=("dart",), covers=_MOST),
    Language("sql", "sql", "sql", extensions=(".sql", ".ddl", ".dml", ".pgsql", ".psql", ".mysql"), covers=_NAMES),
    # ------------------------------------------------------------------ markup, data, notebooks
    Language("html", "html", "html", family="data", extensions=(".html", ".htm", ".xhtml"), covers=("ids", "sources")),
    Language("css", "css", "css", family="data", extensions=(".css",), covers=("selectors", "imports")),
    Language("scss", "scss", "scss", family="data", extensions=(".scss",), covers=("selectors", "mixins", "imports")),
    Language("markdown", "markdown", "markdown", family="prose",
             extensions=(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"), aliases=("md",),
             covers=("headings",)),
    Language("json", "json", "json", family="data",
             extensions=(".json", ".jsonc", ".json5", ".geojson", ".webmanifest", ".jsonld", ".har", ".jsonl",
             ".ndjson", ".topojson", ".avsc", ".code-workspace", ".importmap"),
             file_names=(".babelrc", ".eslintrc", ".prettierrc", ".jshintrc", "composer.lock", "pipfile.lock", ".swcrc",
                         "flake.lock", "deno.lock", ".all-contributorsrc", ".stylelintrc"),
             covers=("keys, top two levels",)),
    Language("yaml", "yaml", "yaml", family="data", extensions=(".yml", ".yaml"), aliases=("yml",),
             file_names=(".clang-format", ".clang-tidy", ".clangd"), covers=("keys, top two levels",)),
    Language("toml", "toml", "toml", family="data", extensions=(".toml",), covers=("keys, top two levels",),
             file_names=("cargo.lock", "poetry.lock", "pipfile", "uv.lock", "pdm.lock")),
    Language("jupyter", "python", "python", extensions=(".ipynb",), aliases=("notebook", "ipynb"), closed=True,
             builtins=_PYTHON, covers=_FULL),
    # ------------------------------------------------------------------ named, with a grammar for syntax questions only
    Language("make", "make", "make", extensions=(".mk", ".mak", ".make"), aliases=("makefile",),
             file_names=("makefile", "gnumakefile", "makefile.am", "makefile.in", "kbuild", "makefile.inc"),
             shebangs=("make",), covers=_NAMES),
    Language("cmake", "cmake", extensions=(".cmake",), file_names=("cmakelists.txt",)),
    Language("dockerfile", "dockerfile", extensions=(".dockerfile",), file_names=("dockerfile", "containerfile")),
    Language("protobuf", "proto", "protobuf", extensions=(".proto",), aliases=("proto",), covers=_NAMES),
    Language("graphql", "graphql", extensions=(".graphql", ".gql", ".graphqls")),
    Language("terraform", "hcl", extensions=(".tf", ".tfvars", ".hcl", ".nomad"), aliases=("hcl", "tf")),
    Language("perl", "perl", extensions=(".pl", ".pm", ".t", ".pod"), shebangs=("perl",), separators=("->", "::")),
    Language("ocaml", "ocaml", extensions=(".ml",), aliases=("ml",)),
    Language("ocaml_interface", "ocaml_interface", extensions=(".mli",)),
    Language("erlang", "erlang", extensions=(".erl", ".hrl", ".escript"), shebangs=("escript",)),
    Language("clojure", "clojure", extensions=(".clj", ".cljs", ".cljc", ".edn"), shebangs=("bb",), aliases=("clj",)),
    Language("commonlisp", "commonlisp", extensions=(".lisp", ".lsp", ".cl", ".asd"), aliases=("lisp",)),
    Language("elisp", "elisp", extensions=(".el",), file_names=(".emacs",), aliases=("emacs-lisp",)),
    Language("scheme", "scheme", extensions=(".scm", ".ss", ".sld")),
    Language("racket", "racket", extensions=(".rkt",)),
    Language("fsharp", "fsharp", extensions=(".fs", ".fsx", ".fsi"), aliases=("f#",)),
    Language("groovy", "groovy", extensions=(".groovy", ".gradle", ".gvy"), file_names=("jenkinsfile",),
             shebangs=("groovy",)),
    Language("powershell", "powershell", extensions=(".ps1", ".psm1", ".psd1"), shebangs=("pwsh",), aliases=("ps1",)),
    Language("fish", "fish", extensions=(".fish",), shebangs=("fish",)),
    Language("tcl", "tcl", "tcl", extensions=(".tcl", ".tm"), shebangs=("tclsh", "wish"), separators=("::",),
             covers=_NAMES),
    Language("matlab", "matlab", aliases=("octave",)),
    Language("fortran", "fortran", extensions=(".f", ".f90", ".f95", ".f03", ".f08", ".for")),
    Language("pascal", "pascal", extensions=(".pas", ".pp", ".dpr", ".lpr")),
    Language("ada", "ada", extensions=(".adb", ".ads")),
    Language("d", "d", extensions=(".d", ".di")),
    Language("nim", "nim", extensions=(".nim", ".nims", ".nimble")),
    Language("nix", "nix", extensions=(".nix",)),
    Language("elm", "elm", extensions=(".elm",)),
    Language("gleam", "gleam", extensions=(".gleam",)),
    Language("odin", "odin", extensions=(".odin",)),
    Language("v", "v", extensions=(".vsh",)),
    Language("verilog", "verilog", extensions=(".v", ".sv", ".svh", ".vh"), aliases=("systemverilog",)),
    Language("vhdl", "vhdl", extensions=(".vhd", ".vhdl")),
    Language("solidity", "solidity", extensions=(".sol",), aliases=("sol",)),
    Language("glsl", "glsl", extensions=(".glsl", ".vert", ".frag", ".geom", ".comp")),
    Language("wgsl", "wgsl", extensions=(".wgsl",)),
    Language("hlsl", "hlsl", extensions=(".hlsl", ".fx")),
    Language("asm", "asm", extensions=(".asm", ".s", ".nasm"), aliases=("assembly",)),
    Language("thrift", "thrift", extensions=(".thrift",)),
    Language("vim", "vim", extensions=(".vim",), file_names=(".vimrc", "_vimrc", ".gvimrc", "vimrc", "gvimrc",
             ".exrc"), aliases=("viml", "vimscript")),
    Language("latex", "latex", family="prose", extensions=(".tex", ".sty", ".cls", ".ltx"), aliases=("tex",)),
    Language("typst", "typst", family="prose", extensions=(".typ",)),
    Language("xml", "xml", family="data", covers=(),
             extensions=(".xml", ".xsd", ".xsl", ".xslt", ".svg", ".plist", ".csproj", ".vbproj", ".fsproj",
             ".vcxproj", ".nuspec", ".props",
                         ".targets", ".wsdl", ".rss", ".atom", ".xaml", ".resx", ".storyboard", ".xib", ".xcprivacy")),
    Language("vue", "vue", "vue", covers=("components", "scripts", "styles"), extensions=(".vue",)),
    Language("svelte", "svelte", "vue", covers=("components", "scripts", "styles"), extensions=(".svelte",)),
    Language("astro", "astro", "vue", covers=("components", "scripts", "styles"), extensions=(".astro",)),
    Language("ini", "ini", family="data", extensions=(".ini", ".cfg", ".conf", ".editorconfig", ".service", ".desktop"),
             file_names=(".editorconfig", ".gitconfig", ".gitmodules", ".npmrc", ".pylintrc", ".flake8")),
    Language("properties", "properties", family="data", extensions=(".properties",)),
    Language("csv", "csv", family="data", extensions=(".csv", ".tsv", ".psv")),
    Language("diff", family="data", extensions=(".diff", ".patch")),
    Language("gomod", "gomod", family="data", file_names=("go.mod", "go.work")),
    Language("gosum", "gosum", family="data", file_names=("go.sum", "go.work.sum")),
    Language("requirements", "requirements", family="data", file_names=("requirements.txt", "constraints.txt")),
    Language("gitignore", "gitignore", family="data",
             file_names=(".gitignore", ".dockerignore", ".npmignore", ".ignore", ".rgignore", ".eslintignore")),
    Language("gitattributes", "gitattributes", family="data", file_names=(".gitattributes",)),
    # ------------------------------------------------------------------ named only
    Language("less", family="data", extensions=(".less",)),
    Language("sass", family="data", extensions=(".sass",)),
    Language("handlebars", family="data", extensions=(".hbs", ".handlebars", ".mustache")),
    Language("jinja", family="data", extensions=(".j2", ".jinja", ".jinja2")),
    Language("erb", family="data", extensions=(".erb", ".eex", ".leex", ".heex", ".ejs")),
    Language("crystal", extensions=(".cr",), shebangs=("crystal",)),
    Language("coffeescript", extensions=(".coffee",), file_names=("cakefile",), shebangs=("coffee",)),
    Language("batch", extensions=(".bat", ".cmd")),
    Language("awk", extensions=(".awk",), shebangs=("awk", "gawk", "mawk")),
    Language("sed", extensions=(".sed",), shebangs=("sed",)),
    Language("m4", extensions=(".m4", ".ac"), file_names=("configure.ac", "configure.in")),
    Language("prolog", extensions=(".prolog", ".plt", ".yap"), shebangs=("swipl",)),
    Language("coq", extensions=(".coq",)),
    Language("puppet"),
    Language("vb", extensions=(".vb", ".vbs", ".bas"), aliases=("visualbasic", "vbnet")),
    Language("cobol", extensions=(".cob", ".cbl", ".cpy")),
    Language("raku", extensions=(".raku", ".rakumod", ".p6"), shebangs=("raku", "perl6")),
    Language("reason", extensions=(".re", ".rei")),
    Language("rescript", extensions=(".res", ".resi")),
    Language("mojo", extensions=(".mojo",)),
    Language("just", extensions=(".just",), file_names=("justfile", ".justfile"), shebangs=("just",)),
    Language("dotenv", family="data", extensions=(".env",), file_names=(".env",)),
    Language("pem", family="data", extensions=(".pem", ".crt", ".cert", ".key", ".csr", ".pub")),
)  # fmt: skip
