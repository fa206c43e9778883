"""Words that generated code must not use as names; fixed lists, not those of the host.

C: keywords of C11 and C23, of C++ (headers are included from both), macros and functions of the
standard headers, and macros that compilers and operating systems define. Python: keywords,
built-ins and the modules of the standard library (a generated file must not hide one).
"""

from __future__ import annotations


def _words(*lines: str) -> list[str]:
    return " ".join(lines).split()


_MATH = _words(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2",
    "expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround",
    "log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow",
    "remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc exp10",
    "pow10 sincos drem significand finite gamma scalb roundeven fmaxmag fminmag llogb nextup",
    "nextdown j0 j1 jn y0 y1 yn cacos casin catan ccos csin ctan cacosh casinh catanh ccosh",
    "csinh ctanh cexp clog cabs cpow csqrt carg cimag conj cproj creal acospi asinpi atanpi",
    "cospi sinpi tanpi",
)

_C_KEYWORDS = _words(
    "auto break case char const continue default do double else enum extern float for goto if",
    "inline int long register restrict return short signed sizeof static struct switch",
    "typedef union unsigned void volatile while alignas alignof bool constexpr false nullptr",
    "static_assert thread_local true typeof typeof_unqual asm fortran",
)

_CPP_KEYWORDS = _words(
    "and and_eq bitand bitor catch char8_t char16_t char32_t class compl concept consteval",
    "constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit",
    "export friend mutable namespace new noexcept not not_eq operator or or_eq private",
    "protected public reinterpret_cast requires static_cast template this throw try typeid",
    "typename using virtual wchar_t xor xor_eq override final import module std",
)

_STANDARD_HEADERS = _words(
    "I complex imaginary NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL MATH_ERRNO MATH_ERREXCEPT",
    "math_errhandling FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 FP_ILOGBNAN",
    "FP_FAST_FMA isnan isinf isfinite isnormal signbit fpclassify isgreater isgreaterequal",
    "isless islessequal islessgreater isunordered float_t double_t M_E M_LOG2E M_LOG10E M_LN2",
    "M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 PI DOMAIN SING",
    "OVERFLOW UNDERFLOW PLOSS TLOSS HUGE NULL EOF BUFSIZ FILENAME_MAX errno EDOM ERANGE",
    "EILSEQ assert offsetof size_t ptrdiff_t max_align_t intmax_t uintmax_t int8_t int16_t",
    "int32_t int64_t uint8_t uint16_t uint32_t uint64_t stdin stdout stderr FILE va_arg",
    "va_start va_end va_list setjmp jmp_buf signal abort exit atexit abs labs llabs div ldiv",
    "lldiv rand srand malloc calloc realloc free memcpy memmove memset memcmp strlen strcpy",
    "strcat strcmp index rindex bcopy bzero printf puts putchar getchar main time clock",
    "system remove rename signgam matherr environ read write open close link unlink pipe",
    "select random",
)

_PREDEFINED = _words(
    "unix linux i386 vax sun mips sparc hpux sgi pdp11 near far huge small min max interface",
    "TRUE FALSE BOOL ERROR IN OUT OPTIONAL CONST VOID pascal cdecl hyper arm",
)

# a unit's name becomes NAME.h, which would hide <NAME.h> from every file compiled with -I
_HEADER_FILES = _words(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal",
    "stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn",
    "string tgmath threads time uchar wchar wctype features endian memory malloc alloca unistd",
    "fcntl sched pthread dirent poll search strings termios utime glob grp pwd regex syslog",
    "values windows process direct io conio",
)

C_WORDS: frozenset[str] = frozenset(
    [name + suffix for name in _MATH for suffix in ("", "f", "l")]
    + [*_C_KEYWORDS, *_CPP_KEYWORDS, *_STANDARD_HEADERS, *_PREDEFINED, *_HEADER_FILES]
)

_PYTHON_KEYWORDS = _words(
    "False None True and as assert async await break class continue def del elif else except",
    "finally for from global if import in is lambda nonlocal not or pass raise return try",
    "while with yield match case type print exec",
)

_BUILT_IN = _words(
    "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr",
    "classmethod compile complex copyright credits delattr dict dir divmod enumerate eval",
    "exit filter float format frozenset getattr globals hasattr hash help hex id input int",
    "isinstance issubclass iter len license list locals map max memoryview min next object",
    "oct open ord pow property quit range repr reversed round set setattr slice sorted",
    "staticmethod str sum super tuple vars zip ArithmeticError AssertionError AttributeError",
    "BaseException Exception FloatingPointError ImportError IndexError KeyError LookupError",
    "NameError NotImplemented NotImplementedError OverflowError RuntimeError StopIteration",
    "SyntaxError SystemExit TypeError ValueError Warning ZeroDivisionError Ellipsis self",
)

#: What a generated module itself holds.
_MODULE = _words("np numpy math self_test annotations")

PYTHON_WORDS: frozenset[str] = frozenset([*_PYTHON_KEYWORDS, *_BUILT_IN, *_MODULE])

PYTHON_MODULES: frozenset[str] = frozenset(
    _words(
        "abc aifc antigravity argparse array ast asyncio asyncore atexit audioop base64 bdb",
        "binascii bisect builtins bz2 calendar cgi chunk cmath cmd code codecs codeop",
        "collections colorsys compileall concurrent configparser contextlib contextvars copy",
        "copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis",
        "distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp",
        "fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext",
        "glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp",
        "importlib inspect io ipaddress itertools json keyword linecache locale logging lzma",
        "mailbox mailcap marshal math mimetypes mmap modulefinder msvcrt multiprocessing",
        "netrc nis nntplib nt ntpath numbers opcode operator optparse os pathlib pdb pickle",
        "pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile",
        "pstats pty pwd pyclbr pydoc queue quopri random re readline reprlib resource",
        "rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site",
        "smtplib sndhdr socket socketserver spwd sqlite3 sre_compile ssl stat statistics",
        "string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny",
        "tarfile telnetlib tempfile termios test textwrap this threading time timeit tkinter",
        "token tokenize tomllib trace traceback tracemalloc tty turtle types typing",
        "unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg",
        "winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo numpy",
        "scipy sympy mpmath matplotlib symdyn pytest conftest setup",
    )
)
